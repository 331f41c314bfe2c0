import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { env } from 'node:process'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { namedIdAt } from '../../lib/runtime/ids.ts'
import type { WebhookEvent } from '../../lib/webhooks/event.ts'
import { adminHeaders } from '../../test/support/admin-headers.ts'
import { copyProject } from '../../test/support/copy-project.ts'
import { freeOffset, type Stack, startStack, temporaryFolder } from '../../test/support/stack.ts'

/** `REPLAYED_EVENTS=10000` takes some seven minutes. */
const EVENTS = Number(env['REPLAYED_EVENTS'] ?? 2000)
const RATE = 50
const CONCURRENCY = 5
const KILLS = 2

const DESTINATION = 'sink'
const MANY = 'many'

/** What arrived, by the id that the receiver knows deliveries by. */
const arrived = new Map<string, IncomingHttpHeaders[]>()

const sink = createServer(async (request, response) => {
  for await (const _ of request);
  const id = String(request.headers['webhook-id'])
  arrived.set(id, [...(arrived.get(id) ?? []), request.headers])
  response.writeHead(204).end()
})

const folder = temporaryFolder()
let environment: Record<string, string>
let stack: Stack
let admin: Awaited<ReturnType<typeof adminHeaders>>

beforeAll(async () => {
  await new Promise<void>((resolve) => void sink.listen(0, '127.0.0.1', resolve))
  const { port } = sink.address() as AddressInfo
  copyProject(process.cwd(), folder.path)
  writeFileSync(
    join(folder.path, 'gatehouse.config.ts'),
    `import { byStage, defineConfig } from 'gatehouse'
export default defineConfig({
  destinations: {
    ${DESTINATION}: {
      to: 'http',
      url: byStage({ local: 'http://127.0.0.1:${port}/' }),
      from: { '*': ['**'] },
      concurrency: ${CONCURRENCY},
    },
  },
})
`,
  )
  environment = {
    PORT_OFFSET: String(await freeOffset()),
    DATA_DIR: join(folder.path, '.data'),
    WEBHOOK_RETRY_SCAN_INTERVAL_MS: '20000',
  }
  await start()
}, 240_000)

afterAll(async () => {
  await stack?.stop()
  sink.closeAllConnections()
  sink.close()
  folder.remove()
})

async function start(): Promise<void> {
  stack = await startStack(environment, ['env', '-C', folder.path])
  admin = await adminHeaders(stack.ready)
}

// biome-ignore lint/suspicious/noExplicitAny: the shapes are those of the description
async function ask(path: string, method = 'GET', body?: object): Promise<any> {
  const headers = { ...admin, 'content-type': 'application/json' }
  const response = await fetch(`${stack.ready.http}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  const json = await response.json()
  expect(response.ok, JSON.stringify(json)).toBe(true)
  return json
}

/** Until something holds; what is asked while the service is down counts as no. */
const until = (what: () => Promise<boolean>, timeout = 600_000) => vi.waitUntil(what, { timeout, interval: 250 })

const replayOf = (replayId: string) => ask(`/api/webhooks/replays/${replayId}`)

/** An event that was processed before there was any destination. */
function processed(type: string, number: number, at: Date): WebhookEvent {
  const payload = Buffer.from(JSON.stringify({ number }))
  return {
    id: namedIdAt(at.getTime(), `${type}-${number}`),
    source: 'demo',
    eventId: `${type}-${number}`,
    eventType: type,
    status: 'PROCESSED',
    receivedAt: at,
    processedAt: at,
    attempts: 0,
    dead: false,
    payload,
    payloadSha256: createHash('sha256').update(payload).digest('hex'),
    proof: { level: 'body', key: 'demo#1', typeSigned: false, idSigned: false },
    headers: { 'content-type': 'application/json' },
    history: [{ at, status: 'PROCESSED', by: 'intake' }],
  }
}

/** Stores events as the intake did; their ids as receivers see them. */
async function seed(type: string, count: number): Promise<ReadonlySet<string>> {
  const client = new DynamoDBClient({
    endpoint: stack.ready.dynamodb,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })
  const marshallOptions = { removeUndefinedValues: true }
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions })
  const store = dynamoEventStore(documents, { events: 'gatehouse-local-events', effects: [] })
  const first = Date.now() - 3_600_000
  const events = Array.from({ length: count }, (_, number) => processed(type, number, new Date(first + number * 10)))
  const left = events.values()
  const workers = Array.from({ length: 16 }, async () => {
    for (const event of left) await store.insert(event, {})
  })
  await Promise.all(workers)
  client.destroy()
  return new Set(events.map(({ id }) => `gh_${id}`))
}

const callsOf = (ids: ReadonlySet<string>) => [...ids].map((id) => arrived.get(id) ?? [])
const countOf = (ids: ReadonlySet<string>) => callsOf(ids).reduce((sum, calls) => sum + calls.length, 0)
const oncesOf = (ids: ReadonlySet<string>) => callsOf(ids).filter((calls) => calls.length > 0).length

it('P19 thousands of processed events are replayed to a destination while the service is killed twice: each arrives under its own id', async () => {
  const ids = await seed(MANY, EVENTS)
  const replayId = 'the-large-one'
  const order = {
    replayId,
    destination: DESTINATION,
    filter: { type: MANY },
    reason: 'a lost day',
    ratePerSecond: RATE,
  }

  expect(await ask('/api/webhooks/replays', 'POST', { ...order, dryRun: true })).toEqual({ matched: EVENTS })
  expect(await ask('/api/webhooks/replays')).toEqual({ replays: [], nextCursor: null })
  expect(arrived.size).toBe(0)

  const begun = performance.now()
  const accepted = await ask('/api/webhooks/replays', 'POST', order)
  expect(accepted).toEqual({ replayId, state: 'RUNNING', matched: EVENTS, done: 0, failed: 0 })
  await until(async () => (await replayOf(replayId)).done >= EVENTS / 10)
  await killed()
  expect((await ask('/api/webhooks/replays')).replays).toMatchObject([{ replayId, state: 'RUNNING' }])
  await until(async () => oncesOf(ids) >= EVENTS / 4)
  await killed()
  await until(async () => (await replayOf(replayId)).state === 'DONE')
  const seconds = (performance.now() - begun) / 1000
  await until(async () => (await sinkState()).waiting === 0)

  expect(await replayOf(replayId)).toEqual({ replayId, state: 'DONE', matched: EVENTS, done: EVENTS, failed: 0 })
  expect(oncesOf(ids)).toBe(EVENTS)
  expect(arrived.size).toBe(EVENTS)
  // Those that were under way at a kill; the destination takes so many at once.
  expect(countOf(ids) - EVENTS).toBeLessThanOrEqual(KILLS * CONCURRENCY)
  const headers = callsOf(ids).flat()
  expect(headers.every((one) => one['gatehouse-replay'] === replayId)).toBe(true)
  expect(new Set(headers.map((one) => one['gatehouse-event'])).size).toBe(EVENTS)
  // Not faster than ordered, however often a worker took over.
  expect(EVENTS / seconds).toBeLessThanOrEqual(RATE)
}, 1_800_000)

/** Kills the whole tree with SIGKILL, and starts it again on the same data. */
async function killed(): Promise<void> {
  await stack.kill()
  await start()
}

async function sinkState(): Promise<{ readonly state: string; readonly waiting: number }> {
  const { destinations } = await ask('/api/destinations')
  return destinations.find(({ name }: { name: string }) => name === DESTINATION)
}
