import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { adminHeaders } from '../support/admin-headers.ts'
import { copyProject } from '../support/copy-project.ts'
import { HOSTILE_IDS, PRINTABLE_ASCII, TAKEN_BY_SQS } from '../support/hostile-ids.ts'
import { freeOffset, type Stack, startStack, temporaryFolder } from '../support/stack.ts'

const QUEUE = 'arn:aws:sqs:eu-central-1:000000000000:ledger'

const configFor = (port: number) => `import { byStage, defineConfig } from 'gatehouse'
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

/** The calls by the id of their message; the first one of each is refused. */
const calls = new Map<string, IncomingHttpHeaders[]>()
const sink = createServer((request, response) => {
  const id = String(request.headers['webhook-id'])
  const known = [...(calls.get(id) ?? []), request.headers]
  calls.set(id, known)
  request.resume().once('end', () => response.writeHead(known.length === 1 ? 500 : 204).end())
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
  admin = await adminHeaders(stack.ready)
}, 400_000)

afterAll(async () => {
  await stack?.stop()
  sink.closeAllConnections()
  sink.close()
  folder.remove()
})

const until = <T>(what: () => T | Promise<T>) => vi.waitUntil(what, { timeout: 120_000, interval: 200 })

async function ask<T>(path: string): Promise<T> {
  const response = await fetch(`${stack.ready.http}${path}`, { headers: admin })
  return (await response.json()) as T
}

async function post(body: string): Promise<number> {
  const secret = String(stack.ready.webhookSecrets['sink-test'])
  const headers = { 'x-sig': createHmac('sha256', secret).update(body).digest('hex') }
  return (await fetch(`${stack.ready.http}/webhooks/sink-test`, { method: 'POST', headers, body })).status
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
    expect(tries.map((headers) => headers['gatehouse-attempt'])).toEqual(['1', '2'])
    expect(decodeURIComponent(String(tries[1]?.['gatehouse-event']))).toBe(eventId)
  }
})
