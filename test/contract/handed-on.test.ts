import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { dynamoDeliveryDesk } from '../../lib/adapters/dynamodb/delivery-store.ts'
import { dynamoEventReader } from '../../lib/adapters/dynamodb/event-reader.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { dynamoHealthStore } from '../../lib/adapters/dynamodb/health-store.ts'
import { dynamoReplays } from '../../lib/adapters/dynamodb/replays.ts'
import { dynamoNameKey, dynamoTrailPages } from '../../lib/adapters/dynamodb/trail.ts'
import { dynamoUserAdministration } from '../../lib/adapters/dynamodb/users.ts'
import { createTokens } from '../../lib/auth/token.ts'
import { byStage } from '../../lib/config.ts'
import { healthyOf } from '../../lib/deliver/breaker.ts'
import type { Reply } from '../../lib/http/message.ts'
import { loadConfig } from '../../lib/runtime/config.ts'
import { clockIds } from '../../lib/runtime/ids.ts'
import { tokenSettings } from '../../lib/runtime/settings/token.ts'
import { systemClock } from '../../lib/runtime/time.ts'
import { nameHashOf } from '../../lib/trail/trail.ts'
import { type EventKey, hintOf } from '../../lib/webhooks/event.ts'
import { sqsEvent } from '../../localstack/stack/event-sources.ts'
import { TABLES } from '../support/emulated-store.ts'
import { failedEvent } from '../support/fakes/webhooks.ts'
import { LAMBDA_ENVIRONMENT } from '../support/lambda-environment.ts'
import { lambdaEvent } from '../support/lambda-event.ts'
import { type SecretsManager, startSecretsManager } from '../support/secrets-manager.ts'
import { type TeamFunctions, teamFunctions } from '../support/team-functions.ts'
import { startedStore } from './stores.ts'

const FUNCTIONS = {
  deliverAgain: 'functions/api/webhook-event-delivery-retry.ts',
  deliveries: 'functions/api/webhook-event-deliveries.ts',
  runAgain: 'functions/api/webhook-event-retry.ts',
  replay: 'functions/api/replays-create.ts',
  disable: 'functions/api/destination-disable.ts',
  enable: 'functions/api/destination-enable.ts',
  destinations: 'functions/api/destinations.ts',
  deletePayload: 'functions/api/webhook-event-payload-delete.ts',
  receive: 'functions/webhooks/provider.ts',
  receiveGithub: 'functions/webhooks/github.ts',
  receiveOrderStatus: 'functions/webhooks/order-status.ts',
  logIn: 'functions/api/auth-login.ts',
  replayStep: 'functions/jobs/replay-step.ts',
  retryEvent: 'functions/jobs/retry-event.ts',
  retryScan: 'functions/jobs/retry-scan.ts',
} as const

const DAY = 86_400_000

const SECRETS_PREFIX = 'gatehouse/test'
const SECRET = 'a secret that both sides know'

const CONFIG = {
  sources: {
    acme: { proof: { kind: 'hmac', header: 'X-Signature' }, rateLimitPerMinute: 3 },
    other: { proof: { kind: 'hmac', header: 'X-Signature' }, event: { id: { path: 'id' } } },
    meters: { proof: { kind: 'hmac', header: 'X-Signature' }, format: 'bytes' },
    counted: { proof: { kind: 'hmac', header: 'X-Signature' } },
    rotated: { proof: { kind: 'hmac', header: 'X-Signature' } },
    github: { preset: 'github', rateLimitPerMinute: 4 },
    'order-status': { preset: 'order-status', rateLimitPerMinute: 2, maxBodyBytes: 300 },
    mail: { preset: 'mailgun', maxBodyBytes: 400_000 },
    'mail-eu': { preset: 'mailgun' },
  },
  retentionDays: { other: 40 },
  dedupeDays: 600,
  destinations: { crm: { to: 'http', url: byStage({ local: 'http://127.0.0.1:65535/' }), from: { '*': ['**'] } } },
} as const

const ADA = {
  id: randomUUID(),
  username: 'ada',
  passwordHash: 'none',
  roles: ['ROLE_ADMIN'],
  enabled: true,
  createdAt: new Date(0),
} as const

const store = startedStore()
let secretsManager: SecretsManager
let functions: TeamFunctions<keyof typeof FUNCTIONS>
let authorization: string

beforeAll(async () => {
  secretsManager = await startSecretsManager()
  const { JWT_KEYS } = LAMBDA_ENVIRONMENT
  secretsManager.put(`${SECRETS_PREFIX}/tokens`, { JWT_KEYS })
  keepSecrets(SECRET)
  const { effects, ...tables } = TABLES
  const names = Object.entries(tables).map(([name, table]) => [`${name.toUpperCase()}_TABLE`, table])
  const { AWS_ENDPOINT_URL_DYNAMODB = '', AWS_ACCESS_KEY_ID = '' } = process.env
  functions = await teamFunctions(FUNCTIONS, CONFIG, {
    ...LAMBDA_ENVIRONMENT,
    ...Object.fromEntries(names),
    AWS_ENDPOINT_URL_DYNAMODB,
    AWS_ACCESS_KEY_ID,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager.url,
    SECRETS_PREFIX,
    SECRET_MAX_AGE_SECONDS: '60',
    WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '5',
    LOGIN_FAILURES_PER_USER: '2',
    LOGIN_FAILURES_PER_NAME: '3',
    LOGIN_FAILURES_PER_ADDRESS: '4',
    LOGIN_FAILURE_WINDOW_SECONDS: '100',
  })
  await dynamoUserAdministration(store.documents, TABLES).add(ADA)
  const keys = loadConfig({ JWT_KEYS: tokenSettings.JWT_KEYS }, [], LAMBDA_ENVIRONMENT).JWT_KEYS
  const tokens = createTokens({ keys: { current: keys }, lifetimeSeconds: 3600, clock: systemClock })
  authorization = `Bearer ${await tokens.issue(ADA.username, 'ROLE_ADMIN', ADA.id)}`
})
afterAll(async () => {
  functions.stop()
  await secretsManager.stop()
})

/** @param rotated the secret of the source whose secret is replaced */
function keepSecrets(rotated: string): void {
  const same = { sameAs: 'acme' }
  const WEBHOOK_SECRETS = {
    acme: SECRET,
    other: same,
    meters: same,
    counted: same,
    github: same,
    'order-status': same,
    mail: same,
    'mail-eu': same,
    rotated: rotated === SECRET ? same : rotated,
  }
  secretsManager.put(`${SECRETS_PREFIX}/webhooks`, { WEBHOOK_SECRETS: JSON.stringify(WEBHOOK_SECRETS) })
}

type Name = keyof typeof FUNCTIONS

async function ask(name: Name, method: string, path: string, body?: object): Promise<Reply> {
  const headers = { authorization, ...(body && { 'content-type': 'application/json' }) }
  const event = lambdaEvent(method, path, { headers, ...(body && { body: JSON.stringify(body) }) })
  return (await functions.call[name](event)) as Reply
}

async function read(name: Name, path: string) {
  const { statusCode, body = '' } = await ask(name, 'GET', path)
  expect(statusCode).toBe(200)
  return JSON.parse(body)
}

const reason = 'the shop is open again'

/** A failed event of its own for each test. */
let key: EventKey
let path: string
beforeEach(async () => {
  key = await failed('acme')
  path = `/api/webhooks/events/${key.source}/${key.eventId}`
})

async function failed(source: string): Promise<EventKey> {
  const stored = { source, eventId: randomUUID() }
  const event = failedEvent({ ...stored, id: clockIds(systemClock).ordered(), receivedAt: new Date() })
  await dynamoEventStore(store.documents, TABLES).insert(event, {}, {})
  return stored
}

const headOf = (event: EventKey) => dynamoEventReader(store.documents, TABLES.events).head(event)

const message = (body: object) =>
  sqsEvent([{ MessageId: 'a', Body: JSON.stringify(body) }], 'arn:aws:sqs:eu-central-1:0:any')

/** The notes of operators' decisions in the log. */
const audited = (decision: string) =>
  functions.log.filter((line) => line['message'] === 'audit' && line['decision'] === decision)

/** The newest row of the audit trail of an action on such a target. */
async function rowOf(action: string, about: string | undefined) {
  const pages = dynamoTrailPages(store.documents, TABLES.audit)
  const { rows } = await pages({ from: new Date(0), to: new Date('2100-01-01'), limit: 1000 })
  return rows.find((row) => row.action === action && row.target?.id === about)
}

const actor = { uid: ADA.id, name: 'ada', authType: 'JWT' }
const told = { actor, outcome: 'done', change: { reason } }

describe('A01 an order of an operator is recorded, and audited, with the operator and the reason', () => {
  it('a delivery that is ordered again', async () => {
    expect((await ask('deliverAgain', 'POST', `${path}/deliveries/crm/retry`, { reason })).statusCode).toBe(202)
    const { deliveries } = await read('deliveries', `${path}/deliveries`)
    expect(deliveries).toMatchObject([{ destination: 'crm', history: [{ user: 'ada', reason }] }])
    expect(audited('redelivered')).toMatchObject([{ user: 'ada', note: reason }])
    const target = { type: 'delivery', name: 'crm' }
    expect(await rowOf('delivery.retried', `${key.source}/${key.eventId}/crm`)).toMatchObject({ ...told, target })
  })

  it('a delivery that a replay orders: the account gets a notice of its end', async () => {
    const filter = { source: 'acme', q: key.eventId }
    const order = { replayId: randomUUID(), filter, destination: 'crm', ratePerSecond: 7, reason }
    expect((await ask('replay', 'POST', '/api/webhooks/replays', order)).statusCode).toBe(202)
    const stored = await dynamoReplays(store.documents, TABLES.replays).find(order.replayId)
    expect(stored).toMatchObject({ ...order, user: 'ada', orderedBy: ADA.id })
    await functions.call.replayStep(message({ replayId: order.replayId, step: 0 }))
    const { deliveries } = await read('deliveries', `${path}/deliveries`)
    const history = [{ user: 'ada', reason: `replay ${order.replayId}: ${reason}` }]
    expect(deliveries).toMatchObject([{ destination: 'crm', history }])
    const target = { type: 'replay' }
    expect(await rowOf('replay.started', order.replayId)).toMatchObject({ ...told, target })
  })

  it.each([
    ['disable', 'DISABLED', { by: 'ada', reason }],
    ['enable', 'CLOSED', { by: 'ada', reason }],
  ] as const)('a destination that is switched, %s', async (command, state, shown) => {
    const { body = '' } = await ask(command, 'POST', `/api/destinations/crm/${command}`, { reason })
    expect(JSON.parse(body)).toMatchObject({ state, ...shown })
    expect((await read('destinations', '/api/destinations')).destinations).toMatchObject([{ state, ...shown }])
    expect(audited(`${command}d`)).toMatchObject([{ destination: 'crm', user: 'ada', note: reason }])
    const target = { type: 'destination', name: 'crm' }
    expect(await rowOf(`destination.${command}d`, 'crm')).toMatchObject({ ...told, target })
  })
})

describe('A01 what a function does to an event stands in the audit trail', () => {
  it('with who did it, and what it was done to', async () => {
    expect((await ask('runAgain', 'POST', `${path}/retry`, { reason })).statusCode).toBe(202)
    const target = { type: 'event', name: key.eventId }
    expect(await rowOf('event.retried', `${key.source}/${key.eventId}`)).toMatchObject({ ...told, target })
  })

  it('and why it was refused', async () => {
    expect((await ask('runAgain', 'POST', `${path}x/retry`, { reason })).statusCode).toBe(404)
    const row = { actor, outcome: 'refused', error: 'EVENT_NOT_FOUND', change: { reason } }
    expect(await rowOf('event.retried', `${key.source}/${key.eventId}x`)).toMatchObject(row)
  })

  it('and a refused login, with a hash of the name', async () => {
    const body = JSON.stringify({ username: 'nobody', password: 'wrong' })
    const event = lambdaEvent('POST', '/api/auth/login', { headers: { 'content-type': 'application/json' }, body })
    expect(await functions.call.logIn(event)).toMatchObject({ statusCode: 401 })
    const row = await rowOf('login.refused', undefined)
    const nameKey = await dynamoNameKey(store.documents, TABLES.counters)()
    expect(row).toMatchObject({ error: 'BAD_CREDENTIALS', nameHash: nameHashOf(nameKey, 'nobody') })
  })
})

it.each<[string, number, object | undefined]>([
  ['', 409, { outcome: 'refused', change: { force: false } }],
  ['force=false', 409, { outcome: 'refused', change: { force: false } }],
  ['force=true', 204, { outcome: 'done', change: { force: true } }],
])('a payload that is still needed is deleted only by force: “%s” gets %i', async (rawQueryString, status, row) => {
  const event = lambdaEvent('DELETE', `${path}/payload`, { headers: { authorization } })
  expect(await functions.call.deletePayload({ ...event, rawQueryString })).toMatchObject({ statusCode: status })
  const target = { type: 'event' }
  expect(await rowOf('payload.deleted', `${key.source}/${key.eventId}`)).toMatchObject({ ...row, actor, target })
})

function signed(source: string, body: string, secret = SECRET) {
  const headers = { 'x-signature': createHmac('sha256', secret).update(body).digest('hex') }
  return functions.call.receive(lambdaEvent('POST', `/webhooks/${source}`, { headers, body })) as Promise<Reply>
}

async function statusesOf(count: number, call: (n: number) => Promise<Reply>): Promise<readonly number[]> {
  const answered: number[] = []
  for (let n = 0; n < count; n++) answered.push((await call(n)).statusCode)
  return answered
}

describe('what a team configures', () => {
  it('destinations receive what the intake accepts', async () => {
    const id = randomUUID()
    expect((await signed('other', JSON.stringify({ id }))).statusCode).toBe(200)
    const { deliveries } = await read('deliveries', `/api/webhooks/events/other/${id}/deliveries`)
    expect(deliveries).toMatchObject([{ destination: 'crm', status: 'PENDING' }])
  })

  it('an event and its body end after the days of their source, and its identity after those of all', async () => {
    const [id, now] = [randomUUID(), Date.now()]
    const body = JSON.stringify({ id, note: randomBytes(20_000).toString('base64') })
    expect((await signed('other', body)).statusCode).toBe(200)
    const { Items = [] } = await store.documents.send(new ScanCommand({ TableName: TABLES.events }))
    const rows = Items.map(({ source, eventId, expireAt }) => ({ kind: source.split('/')[0], eventId, expireAt }))
    const own = rows.filter(({ kind, eventId }) => kind === 'other#part' || eventId === id)
    const days = own.map(({ kind, expireAt }) => [kind, Math.round((expireAt * 1000 - now) / DAY)])
    expect(Object.fromEntries(days)).toEqual({ other: 40, 'other#part': 40, 'other#id': 600 })
  })

  it('deliveries to a destination wait, and end where there is no such destination, also while the queue is down', async () => {
    const [health, desk] = [
      dynamoHealthStore(store.documents, TABLES.deliveries),
      dynamoDeliveryDesk(store.documents, TABLES.deliveries),
    ]
    const order = { at: new Date(), user: 'ada' }
    for (const destination of ['crm', 'removed']) {
      await health.change(destination, () => healthyOf(destination))
      const endsAt = new Date(order.at.getTime() + DAY)
      const delivery = { ...key, id: 7n, eventType: 'TEST', receivedAt: order.at, endsAt, destination }
      await desk.create({ ...delivery, status: 'PENDING', attempts: 0, history: [] }, order)
    }
    await expect(functions.call.retryScan({})).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await desk.of(key)).toMatchObject([
      { destination: 'crm', status: 'PENDING' },
      { destination: 'removed', status: 'DEAD' },
    ])
  })

  it.each([
    ['bytes are run again', 'meters', 'PROCESSED'],
    ['what must be JSON is not', 'other', 'FAILED'],
  ])('the format of a source is that of its events when they run again: %s', async (_, source, status) => {
    const event = await failed(source)
    const target = `/api/webhooks/events/${event.source}/${event.eventId}/retry`
    expect((await ask('runAgain', 'POST', target)).statusCode).toBe(202)
    const head = await headOf(event)
    await functions.call.retryEvent(message(head ? hintOf(head) : {}))
    expect(await headOf(event)).toMatchObject({ status })
  })
})

describe('while the clock stands still', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(Date.now() / 100_000) * 100_000 }))
  afterEach(() => void vi.useRealTimers())

  it.each([
    ['as its source says', 'acme', 3],
    ['as the setting says, for a source that says nothing', 'counted', 5],
  ])('W15 limits the calls of a minute: %s', async (_, source, limit) => {
    const answered = await statusesOf(limit + 1, () => signed(source, '{"n":1}'))
    expect(answered).toEqual([...Array(limit).fill(200), 429])
  })

  it('W13 limits the calls of a minute as the entry of a provider with an endpoint of its own says', async () => {
    const forged = lambdaEvent('POST', '/webhooks/github', { headers: {}, body: '{}' })
    const answered = await statusesOf(5, async () => (await functions.call.receiveGithub(forged)) as Reply)
    expect(answered).toEqual([401, 401, 401, 401, 429])
  })

  it('W13, W14 limits calls and bodies of an endpoint of its own as its entry says', async () => {
    const forged = (body: string) =>
      functions.call.receiveOrderStatus(lambdaEvent('POST', '/webhooks/order-status', { headers: {}, body }))
    const bodies = ['b'.repeat(301), 'b'.repeat(300), 'b']
    const answered = await statusesOf(3, async (n) => (await forged(bodies[n] ?? '')) as Reply)
    expect(answered).toEqual([413, 401, 429])
  })

  it.each([
    ['as its source says', 'mail', 400_000, 200],
    ['as its source says, and not more', 'mail', 400_001, 413],
    ['to 256 KiB, for a source that says nothing', 'mail-eu', 400_000, 413],
  ])('W14 limits a body whose bytes are not signed: %s', async (_, source, bytes, status) => {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const token = randomUUID().padEnd(50, '0')
    const signature = createHmac('sha256', SECRET)
      .update(timestamp + token)
      .digest('hex')
    const fields = `${new URLSearchParams({ timestamp, token, signature })}&text=`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const event = lambdaEvent('POST', `/webhooks/${source}`, { headers, body: fields.padEnd(bytes, 'a') })
    expect(await functions.call.receive(event)).toMatchObject({ statusCode: status })
  })

  function guess(username: string, sourceIp: string): Promise<Reply> {
    const body = JSON.stringify({ username, password: 'wrong' })
    const event = lambdaEvent('POST', '/api/auth/login', { headers: { 'content-type': 'application/json' }, body })
    const { requestContext } = event
    const from = { ...requestContext, http: { ...requestContext.http, sourceIp } }
    return functions.call.logIn({ ...event, requestContext: from }) as Promise<Reply>
  }

  it.each<[string, number, (n: number) => [string, string]]>([
    ['LOGIN_FAILURES_PER_USER: of a name from an address', 2, () => ['ann', '192.0.2.1']],
    ['LOGIN_FAILURES_PER_NAME: of a name from all addresses', 3, (n) => ['bob', `192.0.2.${10 + n}`]],
    ['LOGIN_FAILURES_PER_ADDRESS: of an address', 4, (n) => [`name-${n}`, '192.0.2.2']],
  ])('B06 wrong passwords are limited: %s', async (_, limit, caller) => {
    expect(await statusesOf(limit + 1, (n) => guess(...caller(n)))).toEqual([...Array(limit).fill(401), 429])
  })

  it('LOGIN_FAILURE_WINDOW_SECONDS: of two, one is forgotten in the middle of the next window', async () => {
    for (let n = 0; n < 2; n++) await guess('carl', '192.0.2.3')
    expect((await guess('carl', '192.0.2.3')).headers).toMatchObject({ 'retry-after': '150' })
  })
  it('SECRET_MAX_AGE_SECONDS: a secret that was replaced counts after that time', async () => {
    const call = (secret: string) => signed('rotated', `{"n":"${secret}"}`, secret)
    expect((await call(SECRET)).statusCode).toBe(200)
    keepSecrets('another secret of both sides')
    expect((await call('another secret of both sides')).statusCode).toBe(401)
    vi.advanceTimersByTime(61_000)
    expect((await call('another secret of both sides')).statusCode).toBe(200)
    expect((await call(SECRET)).statusCode).toBe(401)
  })
})
