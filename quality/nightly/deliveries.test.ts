import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { adminHeaders } from '../../test/support/admin-headers.ts'
import { copyProject } from '../../test/support/copy-project.ts'
import { freePort } from '../../test/support/free-port.ts'
import { freeOffset, localEnvironment, type Stack, startStack, temporaryFolder } from '../../test/support/stack.ts'

/** One call of a destination. */
interface Call {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Receivers of deliveries by the path of their address; each may answer in its own way. */
function receivers() {
  const calls = new Map<string, Call[]>()
  const answers = new Map<string, (count: number, response: ServerResponse) => void>()
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const kept = calls.get(path) ?? []
    kept.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
    calls.set(path, kept)
    const answer = answers.get(path) ?? ((_, given) => void given.writeHead(204).end())
    answer(kept.length, response)
  })
  return { calls: (path: string): readonly Call[] => calls.get(path) ?? [], answers, server }
}

const ACCOUNT = '000000000000'

const GUIDE = readFileSync('docs/guide/deliver.md', 'utf8')

/** A block of code of the guide, its receiver on another port. */
function ofGuide(file: string, port: number): string {
  const [, code = ''] = new RegExp(`^\`\`\`\\w+ ${file}\\n(.+?)^\`\`\``, 'ms').exec(GUIDE) ?? []
  return code.replace('4000', String(port))
}

function configOf(port: number, guidePort: number): string {
  const http = (path: string, more = '') =>
    `{ to: 'http', url: 'http://127.0.0.1:${port}/${path}', from: { stripe: ['**'], shopify: ['orders/*'] }, retry: [1] ${more} }`
  const guide = ofGuide('gatehouse.config.ts', guidePort)
  const more = `
    own: local(${http('own', ", headers: { 'x-api-key': secret('own-key') }")}),
    slow: local(${http('slow')}),
    ledger: { to: 'sqs', queue: 'arn:aws:sqs:eu-central-1:${ACCOUNT}:ledger.fifo', group: 'currency', from: { shopify: ['**'] } },
    bus: { to: 'eventbridge', bus: 'arn:aws:events:eu-central-1:${ACCOUNT}:event-bus/orders', from: { '*': ['orders/*'] } },`
  return guide
    .replace('import { byStage, defineConfig }', 'import { byStage, defineConfig, secret }')
    .replace('export default', 'const local = (one) => ({ ...one, url: byStage({ local: one.url }) })\nexport default')
    .replace('destinations: {', `destinations: {${more}`)
}

const folder = temporaryFolder()
const sinks = receivers()
let stack: Stack
let environment: Record<string, string>

beforeAll(async () => {
  sinks.answers.set('/slow', () => undefined)
  await new Promise<void>((resolve) => void sinks.server.listen(0, '127.0.0.1', resolve))
  copyProject(process.cwd(), folder.path)
  const { port } = sinks.server.address() as AddressInfo
  const guidePort = await freePort()
  writeFileSync(join(folder.path, 'gatehouse.config.ts'), configOf(port, guidePort))
  writeFileSync(join(folder.path, 'receiver.mjs'), ofGuide('receiver.mjs', guidePort))
  environment = {
    PORT_OFFSET: String(await freeOffset()),
    DATA_DIR: join(folder.path, '.data'),
    WEBHOOK_RETRY_SCAN_INTERVAL_MS: '1000',
  }
  stack = await start()
}, 240_000)

afterAll(async () => {
  await stack?.stop()
  sinks.server.closeAllConnections()
  sinks.server.close()
  folder.remove()
})

const start = () => startStack(environment, ['env', '-C', folder.path])

const until = <T>(what: () => T | Promise<T>) => vi.waitUntil(what, { timeout: 90_000, interval: 50 })

/** What `npm run send` prints, by its own words: the id first. */
function send(...args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(execPath, ['localstack/send.ts', ...args], {
    cwd: folder.path,
    env: localEnvironment(environment),
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
  return stdout.split(' ', 1)[0] ?? ''
}

async function asAdmin(path: string, method = 'GET') {
  const response = await fetch(`${stack.ready.http}${path}`, { method, headers: await adminHeaders(stack.ready) })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const callsFor = (path: string, event: string) =>
  sinks.calls(path).filter(({ headers }) => headers['gatehouse-event'] === event)

const secrets = () => JSON.parse(readFileSync(join(environment['DATA_DIR'] ?? '', 'secrets.json'), 'utf8'))

it("the guide's receiver receives the guide's event and verifies it", async () => {
  const receiver = spawn(execPath, ['receiver.mjs'], { cwd: folder.path, stdio: ['ignore', 'pipe', 'inherit'] })
  const printed: string[] = []
  createInterface({ input: receiver.stdout }).on('line', (line) => printed.push(line))
  const event = send('shopify', 'orders/paid')
  await until(() => printed.some((line) => /^orders\/paid gh_\d+ verified, id /.test(line) && line.endsWith(event)))
  receiver.kill()
})

describe('an event that is sent', () => {
  it('arrives byte for byte, signed as two libraries verify it, while another destination hangs', async () => {
    const event = send('shopify', 'orders/paid')
    await until(() => callsFor('/own', event).length > 0)
    const [{ headers, body }] = callsFor('/own', event) as [Call]
    const { own, 'own-key': key } = secrets().DELIVERY_SECRETS
    const given = headers as Record<string, string>
    expect(new StandardWebhook(own).verify(body, given)).toEqual(JSON.parse(body))
    expect(() => new SvixWebhook(own).verify(body, given)).not.toThrow()
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'gatehouse-source': 'shopify',
      'gatehouse-type': 'orders/paid',
      'gatehouse-attempt': '1',
      'x-api-key': key,
    })
    expect(callsFor('/slow', event).length).toBeLessThanOrEqual(1)
    expect(await asAdmin(`/api/webhooks/events/shopify/${event}/deliveries`)).toMatchObject({
      body: {
        deliveries: expect.arrayContaining([expect.objectContaining({ destination: 'own', status: 'DELIVERED' })]),
      },
    })
  })

  it('is in the queue, in the message group that its body names, and on the bus', async () => {
    const event = send('shopify', 'orders/paid')
    const client = new SQSClient({
      endpoint: stack.ready.sqs ?? '',
      region: 'eu-central-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    })
    const queueUrl = `${stack.ready.sqs}/${ACCOUNT}/ledger.fifo`
    const receive = new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: 10,
      WaitTimeSeconds: 1,
      MessageSystemAttributeNames: ['MessageGroupId'],
    })
    const found = await until(async () => {
      const { Messages: messages = [] } = await client.send(receive)
      // A group stays locked as long as one of its messages is under way.
      for (const { ReceiptHandle: handle } of messages) {
        await client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: handle }))
      }
      return messages.find(({ Body: text }) => JSON.parse(text ?? '').eventId === event)
    })
    const envelope = JSON.parse(found.Body ?? '')
    expect(envelope).toMatchObject({ source: 'shopify', type: 'orders/paid', eventId: event })
    expect(found.Attributes?.MessageGroupId).toBe(JSON.parse(envelope.body).currency)
    client.destroy()
    const bus = `http://127.0.0.1:${4010 + Number(environment['PORT_OFFSET'])}/_kept`
    await until(async () => (await (await fetch(bus)).text()).includes(event))
  })

  it('is tried again with the same id when its destination fails, and also after the whole process tree was killed', async () => {
    sinks.answers.set('/own', (_, response) => void response.writeHead(503).end())
    const event = send('stripe', 'payment_intent.succeeded')
    await until(() => callsFor('/own', event).length > 1)
    await stack.kill()
    sinks.answers.delete('/own')
    const before = callsFor('/own', event).length
    stack = await start()
    await until(() => callsFor('/own', event).length > before)
    const ids = callsFor('/own', event).map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(1)
    const attempts = callsFor('/own', event).map(({ headers }) => Number(headers['gatehouse-attempt']))
    expect(attempts).toEqual(attempts.toSorted((one, other) => one - other))
  }, 120_000)

  it('is delivered again when an operator orders it, and not while its destination is disabled', async () => {
    const event = send('shopify', 'orders/paid')
    await until(() => callsFor('/own', event).length === 1)
    const path = `/api/webhooks/events/shopify/${event}/deliveries/own/retry`
    expect(await asAdmin(path, 'POST')).toMatchObject({ status: 202, body: { status: 'PENDING', attempts: 0 } })
    await until(() => callsFor('/own', event).length === 2)
    expect(await asAdmin('/api/destinations/own/disable', 'POST')).toMatchObject({ body: { state: 'DISABLED' } })
    expect(await asAdmin(path, 'POST')).toMatchObject({ status: 202, body: { status: 'PARKED' } })
    expect(await asAdmin('/api/destinations/own/enable', 'POST')).toMatchObject({ body: { state: 'CLOSED' } })
    await until(() => callsFor('/own', event).length === 3)
  }, 60_000)
})
