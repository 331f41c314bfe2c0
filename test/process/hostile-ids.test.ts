import { createHmac, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { DeleteCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { documentClient } from '../../lib/adapters/dynamodb/client.ts'
import { copyProject } from '../support/copy-project.ts'
import { HOSTILE_IDS, PRINTABLE_ASCII, TAKEN_BY_SQS } from '../support/hostile-ids.ts'
import { freeOffset, type Stack, startStack, temporaryFolder } from '../support/stack.ts'

const QUEUE = 'arn:aws:sqs:eu-central-1:000000000000:ledger'

const configFor = (port: number) => `import { byStage, defineConfig } from './lib/config.ts'
const from = { 'sink-test': ['**'] }
export default defineConfig({
  sources: {
    'sink-test': { proof: { kind: 'hmac', header: 'X-Sig' }, event: { id: { path: 'id' }, type: { path: 'type' } } },
  },
  destinations: {
    sink: { to: 'http', url: byStage({ local: 'http://127.0.0.1:${port}/' }), from, retry: [1], concurrency: 10 },
    ledger: { to: 'sqs', queue: '${QUEUE}', from },
  },
})
`

interface Call {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** The calls by the id of their message; the first one of each is refused. */
const calls = new Map<string, Call[]>()
const sink = createServer(async (request, response) => {
  const id = String(request.headers['webhook-id'])
  const known = [...(calls.get(id) ?? []), { headers: request.headers, body: await buffer(request) }]
  calls.set(id, known)
  response.writeHead(known.length === 1 ? 500 : 204).end()
})

const folder = temporaryFolder()
let stack: Stack
let admin: Readonly<Record<string, string>>

beforeAll(async () => {
  await new Promise<void>((resolve) => void sink.listen(0, '127.0.0.1', resolve))
  copyProject(process.cwd(), folder.path)
  writeFileSync(join(folder.path, 'gatehouse.config.ts'), configFor((sink.address() as AddressInfo).port))
  const environment = {
    PORT_OFFSET: String(await freeOffset()),
    DATA_DIR: 'memory',
    WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '10000',
  }
  stack = await startStack(environment, ['env', '-C', folder.path])
  const { username = '', password = '' } = stack.ready.users.find(({ role }) => role === 'ROLE_ADMIN') ?? {}
  const body = new URLSearchParams({ username, password })
  const login = await fetch(`${stack.ready.http}/api/auth/login`, { method: 'POST', body })
  admin = { authorization: `Bearer ${((await login.json()) as { readonly token: string }).token}` }
}, 400_000)

afterAll(async () => {
  await stack?.stop()
  sink.closeAllConnections()
  sink.close()
  folder.remove()
})

const until = <T>(what: () => T | Promise<T>) => vi.waitUntil(what, { timeout: 120_000, interval: 200 })

async function ask<T>(path: string, method = 'GET'): Promise<T> {
  const response = await fetch(`${stack.ready.http}${path}`, { method, headers: admin })
  return (await response.json()) as T
}

async function post(body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const secret = stack.ready.webhookSecrets['sink-test'] ?? ''
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const call = { method: 'POST', headers: { 'x-sig': signature, ...headers }, body }
  return (await fetch(`${stack.ready.http}/webhooks/sink-test`, call as RequestInit)).status
}

interface Listed {
  readonly id: string
  readonly eventId: string
}

async function deliveriesOf({ eventId }: Listed): Promise<readonly { readonly status: string }[]> {
  const path = `/api/webhooks/events/sink-test/${encodeURIComponent(eventId)}/deliveries`
  return (await ask<{ readonly deliveries: readonly { readonly status: string }[] }>(path)).deliveries
}

const sqs = () =>
  new SQSClient({
    endpoint: stack.ready.sqs ?? '',
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })

it('an event of any id reaches an HTTP destination at its second try, and a queue', async () => {
  for (const [n, id] of HOSTILE_IDS.entries())
    expect(await post(JSON.stringify({ id, type: `🧾.${id}`.slice(0, 100), n })), JSON.stringify(id)).toBe(200)
  const { events } = await ask<{ readonly events: readonly Listed[] }>(
    '/api/webhooks/events?source=sink-test&limit=100',
  )
  expect(events).toHaveLength(HOSTILE_IDS.length)
  const texts = new Map<string, string>()
  const QueueUrl = `${stack.ready.sqs}/000000000000/ledger`
  await until(async () => {
    const receive = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 })
    for (const { Body: text = '', ReceiptHandle } of (await sqs().send(receive)).Messages ?? []) {
      texts.set(JSON.parse(text).id, text)
      await sqs().send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
    }
    return texts.size === events.length
  })
  for (const { id, eventId } of events) {
    const text = texts.get(id) ?? ''
    expect(text).toMatch(PRINTABLE_ASCII)
    expect(text).toMatch(TAKEN_BY_SQS)
    expect(JSON.parse(text).eventId).toBe(eventId)
    await until(async () => (await deliveriesOf({ id, eventId })).every(({ status }) => status === 'DELIVERED'))
    const tries = calls.get(`gh_${id}`) ?? []
    expect(tries.map(({ headers }) => headers['gatehouse-attempt'])).toEqual(['1', '2'])
    expect(decodeURIComponent(String(tries[1]?.headers['gatehouse-event']))).toBe(eventId)
  }
})

it('an event of any id that failed is run again from the queue', async () => {
  const posted = (body: object) =>
    fetch(`${stack.ready.http}/webhooks/payment`, { method: 'POST', body: JSON.stringify(body) })
  const payment = (eventId: string, orderId: string) => {
    const known = { transactionId: `tx-${orderId.slice(1)}`, status: 'COMPLETED', currency: 'EUR', amount: '1.00' }
    return { eventId, orderId, ...known }
  }
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', stack.ready.dynamodb ?? '')
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'local')
  vi.stubEnv('AWS_REGION', 'eu-central-1')
  const documents = documentClient()
  let failed = 0
  for (const id of HOSTILE_IDS) {
    const n = randomUUID()
    expect((await posted(payment(randomUUID(), `a${n}`))).status).toBe(200)
    const { status } = await posted(payment(id, `b${n}`))
    if (status === 400) continue
    expect(status, JSON.stringify(id)).toBe(500)
    failed += 1
    await documents.send(
      new DeleteCommand({ TableName: 'gatehouse-local-payments', Key: { transactionId: `tx-${n}` } }),
    )
    const event = `/api/webhooks/events/payment/${encodeURIComponent(id)}`
    await ask(`${event}/retry`, 'POST')
    await until(async () => (await ask<{ readonly status: string }>(event)).status === 'PROCESSED')
  }
  vi.unstubAllEnvs()
  // The others are no ids: too long, no text, or with a control character.
  expect(failed).toBe(HOSTILE_IDS.length - 4)
})

it('a body under a coding arrives as it was sent, with the coding, and without reading it', async () => {
  const body = gzipSync('{"id":"zipped","type":"t"}')
  expect(await post(body, { 'content-encoding': 'gzip', 'content-type': 'application/json' })).toBe(200)
  const arrived = await until(() => [...calls.values()].flat().find((call) => call.body.equals(body)))
  expect(arrived?.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': 'application/json' })
})
