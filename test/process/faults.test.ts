import { createHmac, randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type EventItem, headOf } from '../../lib/adapters/dynamodb/event-item.ts'
import type { Reply } from '../../lib/http/message.ts'
import { demoUsers } from '../../localstack/demo-users.ts'
import { openDataFolder } from '../../localstack/stack/data-folder.ts'
import { serveDirectory } from '../../localstack/stack/directory/embedded.ts'
import { DEMO_DIRECTORY, demoEntries } from '../../localstack/stack/directory/entries.ts'
import { startSqs } from '../../localstack/stack/emulators/sqs.ts'
import { type EmulatedStore, emulatedStore, TABLES } from '../support/emulated-store.ts'
import { type Fault, type FaultProxy, faultProxy } from '../support/fault-proxy.ts'
import { freePort } from '../support/free-port.ts'
import { inFull } from '../support/full-runs.ts'
import { GITHUB_SECRET, LAMBDA_ENVIRONMENT } from '../support/lambda-environment.ts'
import { lambdaEvent } from '../support/lambda-event.ts'

/** What the platform gives a call, in milliseconds; where none has come before, the answer is 503. */
const SHORT = 1000
const TIME = 2000
const LONG = 60_000

type Dependency = 'database' | 'queue' | 'directory'

const data = openDataFolder('memory')
let store: EmulatedStore
let sqs: Awaited<ReturnType<typeof startSqs>>
let queuesAt: string
let queueUrl: string
let stopDirectory: () => void
const proxies = {} as Record<Dependency, FaultProxy>

beforeAll(async () => {
  store = await emulatedStore('dynoxide')
  const messages = await freePort()
  sqs = await startSqs(messages, 'eu-central-1', data)
  queuesAt = `http://127.0.0.1:${messages}`
  const { AWS_ENDPOINT_URL_DYNAMODB: tables = '' } = process.env
  const { QueueUrl: url = '' } = await queues().send(new CreateQueueCommand({ QueueName: 'retry' }))
  queueUrl = url
  const directory = await freePort()
  const server = await new Promise<ReturnType<typeof serveDirectory>>((done) => {
    const serving = serveDirectory(demoEntries(), directory, () => done(serving))
  })
  stopDirectory = () => server.close(() => {})
  proxies.database = await faultProxy(Number(new URL(tables).port))
  proxies.queue = await faultProxy(messages)
  proxies.directory = await faultProxy(directory)
  const at = ({ port }: FaultProxy) => `http://127.0.0.1:${port}`
  const { AWS_ENDPOINT_URL: _, AWS_ACCESS_KEY_ID: __, ...environment } = LAMBDA_ENVIRONMENT
  const own = {
    EVENTS_TABLE: TABLES.events,
    PAYMENTS_TABLE: TABLES.payments,
    ORDERS_TABLE: TABLES.orders,
    COUNTERS_TABLE: TABLES.counters,
    REPLAYS_TABLE: TABLES.replays,
    DELIVERIES_TABLE: TABLES.deliveries,
    REFUSALS_TABLE: TABLES.refusals,
    KEYS_TABLE: TABLES.keys,
    USERS_TABLE: TABLES.users,
    MESSAGES_TABLE: TABLES.messages,
    RETRY_QUEUE_URL: queueUrl,
    AWS_ENDPOINT_URL_DYNAMODB: at(proxies.database),
    AWS_ENDPOINT_URL_SQS: at(proxies.queue),
    ...DEMO_DIRECTORY,
    LDAP_URL: `ldap://127.0.0.1:${proxies.directory.port}`,
    WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '100000',
    WEBHOOK_RETRY_SCAN_INTERVAL_MS: '100',
  }
  for (const [name, value] of Object.entries({ ...environment, ...own })) vi.stubEnv(name, value)
})

afterEach(() => {
  for (const proxy of Object.values(proxies)) proxy.set('none')
})

afterAll(async () => {
  for (const proxy of Object.values(proxies)) await proxy.close()
  stopDirectory()
  await sqs.stop()
  data.close()
  await store.stop()
  vi.unstubAllEnvs()
})

const queues = () => new SQSClient({ endpoint: queuesAt, useQueueUrlAsEndpoint: false })

async function invoke<T>(bundle: string, event: object, time = LONG): Promise<T> {
  const { handler } = await import(resolve(`dist/${bundle}/index.mjs`))
  return handler(event, { awsRequestId: 'r', getRemainingTimeInMillis: () => time })
}

const payment = (id: string, time?: number) =>
  invoke<Reply>(
    'webhooks/payment',
    lambdaEvent('POST', '/webhooks/payment', {
      body: JSON.stringify({
        eventId: id,
        transactionId: `tx-${id}`,
        orderId: 'o',
        status: 'COMPLETED',
        currency: 'EUR',
        amount: 1,
      }),
    }),
    time,
  )

/** Work for the queue. */
function push(id: string, time?: number): Promise<Reply> {
  const body = JSON.stringify({ ref: 'refs/heads/main', commits: [{ id }], repository: { full_name: 'o/r' } })
  const signature = `sha256=${createHmac('sha256', GITHUB_SECRET).update(body).digest('hex')}`
  const headers = { 'x-github-event': 'push', 'x-github-delivery': id, 'x-hub-signature-256': signature }
  return invoke('webhooks/github', lambdaEvent('POST', '/webhooks/github', { body, headers }), time)
}

function listUsers(time?: number): Promise<Reply> {
  const { username = '', password = '' } = demoUsers(true).find(({ username }) => username === 'ldapadmin') ?? {}
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return invoke('api/ldap-users', lambdaEvent('GET', '/api/ldap/users', { headers: { authorization } }), time)
}

async function eventOf(source: string, eventId: string) {
  const command = new GetCommand({ TableName: TABLES.events, Key: { source, eventId }, ConsistentRead: true })
  const { Item: item } = await store.documents.send(command)
  return item && headOf(item as EventItem)
}

const hintOf = (eventId: string) => JSON.stringify({ source: 'github', eventId, n: 0 })

const work = (...bodies: readonly string[]) =>
  invoke<{ batchItemFailures: readonly object[] }>('jobs/retry-event', {
    Records: bodies.map((body, index) => ({ messageId: String(index), body, eventSource: 'aws:sqs' })),
  })

async function received(): Promise<readonly string[]> {
  const command = new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 })
  const { Messages: messages = [] } = await queues().send(command)
  return messages.map(({ Body: body = '' }) => body)
}

const EVERY_FAULT = [
  'throttles',
  'throttles under another name',
  'answers 500',
  'answers 503',
  'hangs',
  'resets',
  'hangs up',
  'loses its answer',
  'answers drop by drop',
] as const satisfies readonly Fault[]

/** A fault under which the first request has no answer for longer than {@link SHORT}. */
const isWait = (fault: Fault) => fault === 'hangs' || fault === 'answers drop by drop'

describe('a database that', () => {
  it('loses one answer after the commit is called again, and the event is the stored one', async () => {
    const id = randomUUID()
    expect((await payment(id)).statusCode).toBe(200)
    proxies.database.set('loses its answer', 1)
    const second = randomUUID()
    const { statusCode, body } = await payment(second)
    expect({ statusCode, body }).toMatchObject({ statusCode: 200, body: expect.stringContaining('processed') })
    expect((await eventOf('payment', second))?.history).toHaveLength(1)
  })

  it.each(EVERY_FAULT)(
    '%s: 503 with Retry-After in time, and no event is lost or doubled after that',
    async (fault) => {
      const id = randomUUID()
      proxies.database.set(fault)
      proxies.database.take()
      const refused = await payment(id, SHORT)
      expect(refused).toMatchObject({ statusCode: 503, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } })
      if (isWait(fault)) expect(proxies.database.take()).toBe(1)
      proxies.database.set('none')
      expect(await payment(id)).toMatchObject({ statusCode: 200 })
      const { status, history } = (await eventOf('payment', id)) ?? {}
      expect({ status, moves: history?.length }).toEqual({ status: 'PROCESSED', moves: 1 })
    },
  )

  it('loses the answer to a claim: the run continues, and counts once', async () => {
    const id = randomUUID()
    await push(id)
    proxies.database.set('loses its answer', 1)
    expect((await work(hintOf(id))).batchItemFailures).toEqual([])
    expect(await eventOf('github', id)).toMatchObject({ status: 'PROCESSED', attempts: 0 })
  })

  it.each(['throttles', 'answers 500', 'resets'] as const)(
    '%s while a worker runs: no attempt is used up',
    async (fault) => {
      const id = randomUUID()
      await push(id)
      proxies.database.set(fault)
      expect((await work(hintOf(id))).batchItemFailures).toHaveLength(1)
      proxies.database.set('none')
      expect((await work(hintOf(id))).batchItemFailures).toEqual([])
      expect(await eventOf('github', id)).toMatchObject({ status: 'PROCESSED', attempts: 0 })
    },
  )
})

describe('a queue that', () => {
  it.each(EVERY_FAULT)('%s: the webhook is accepted in time, and the scan completes it', async (fault) => {
    const id = randomUUID()
    proxies.queue.set(fault)
    expect((await push(id, TIME)).statusCode).toBe(200)
    expect(await eventOf('github', id)).toMatchObject({ status: 'RECEIVED', attempts: 0 })
    proxies.queue.set('none')
    await invoke('jobs/retry-scan', {})
    await vi.waitUntil(async () => (await received()).includes(hintOf(id)), { timeout: 20_000, interval: 0 })
    await work(hintOf(id))
    expect(await eventOf('github', id)).toMatchObject({ status: 'PROCESSED', attempts: 0 })
  })
})

describe('a directory that', () => {
  it.each(['hangs', 'resets', 'hangs up', 'loses its answer', 'answers drop by drop'] as const)(
    '%s: 503 with Retry-After in time, and users are accepted as soon as it is back',
    async (fault) => {
      proxies.directory.set(fault)
      const refused = await listUsers(SHORT)
      expect(refused).toMatchObject({ statusCode: 503, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } })
      proxies.directory.set('none')
      expect((await listUsers()).statusCode).toBe(200)
    },
  )
})

describe('retries do not increase the load of an outage:', () => {
  /** In an outage the tries that a process has in hand count, too. */
  const CALLS = { good: 20, bad: 100 } as const

  const OUTAGES = [
    ['database', 'throttles', () => payment(randomUUID())],
    ['database', 'answers 500', () => payment(randomUUID())],
    ['database', 'resets', () => payment(randomUUID())],
    ['queue', 'throttles', () => push(randomUUID())],
    ['queue', 'answers 500', () => push(randomUUID())],
    ['directory', 'resets', () => listUsers()],
  ] as const

  it.each(OUTAGES.slice(0, inFull(OUTAGES.length)))(
    'a %s that %s is called at most 1.1 times as often as a working one',
    async (dependency, fault, call) => {
      const proxy = proxies[dependency]
      const askedPerCall = async (calls: number) => {
        proxy.take()
        for (let index = 0; index < calls; index++) await call()
        return proxy.take() / calls
      }
      const good = await askedPerCall(CALLS.good)
      proxy.set(fault)
      expect(good).toBeGreaterThanOrEqual(1)
      expect(await askedPerCall(CALLS.bad)).toBeLessThanOrEqual(good * 1.1)
    },
  )
})
