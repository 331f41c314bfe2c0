import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { keyItemOf } from '../../lib/adapters/dynamodb/keys.ts'
import { coldEndpoint } from '../support/cold-function.ts'
import { type CountingProxy, countingProxy } from '../support/counting-proxy.ts'
import { newApiKey } from '../support/fakes/keys.ts'
import { GITHUB_SECRET, LAMBDA_ENVIRONMENT, ORDER_SECRET, STRIPE_SECRET } from '../support/lambda-environment.ts'
import { type Invoke, lambdaEvent } from '../support/lambda-event.ts'
import { putRow } from '../support/local-tables.ts'

/** An admin who makes a key. */
const MAKER = 'google:17'

const ready = inject('ready')
let dynamodb: CountingProxy
let sqs: CountingProxy
let payment: Invoke
let order: Invoke
let stripe: Invoke
let github: Invoke
let login: Invoke
let secured: Invoke
let events: Invoke

/** What the functions asked for while they started. */
const started: string[] = []

beforeAll(async () => {
  dynamodb = await countingProxy(ready.dynamodb)
  sqs = await countingProxy(ready.sqs)
  const environment = {
    ...LAMBDA_ENVIRONMENT,
    ADMIN_IDENTITIES: MAKER,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ENDPOINT_URL_SQS: sqs.url,
    // What the limiter costs is counted in rate-limit.test.ts.
    WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '0',
  }
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  payment = await coldEndpoint('webhooks/payment')
  order = await coldEndpoint('webhooks/order-status')
  stripe = await coldEndpoint('webhooks/stripe')
  github = await coldEndpoint('webhooks/github')
  login = await coldEndpoint('api/auth-login')
  secured = await coldEndpoint('api/user-secure')
  events = await coldEndpoint('api/webhook-events')
  started.push(...dynamodb.take())
})

afterAll(async () => {
  await dynamodb.close()
  await sqs.close()
})

/** Another instance of the function, after its start. */
async function freshPayment(): Promise<Invoke> {
  const other = await coldEndpoint('webhooks/payment')
  dynamodb.take()
  return other
}

function paymentBody(changes: object = {}) {
  const id = randomUUID()
  return { eventId: id, transactionId: id, orderId: 'o', status: 'COMPLETED', currency: 'EUR', amount: 1, ...changes }
}

it('the start of a function: one write if it receives webhooks, none for other functions', () => {
  expect(started).toEqual(Array(4).fill('UpdateItem'))
})

async function post(body: object | string, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const { statusCode } = await payment(lambdaEvent('POST', '/webhooks/payment', { body: text, headers }))
  return { statusCode, dynamodb: dynamodb.take(), sqs: sqs.take() }
}

async function postOrder(body: object, secret = ORDER_SECRET) {
  const text = JSON.stringify(body)
  const headers = { 'x-signature': createHmac('sha256', secret).update(text).digest('hex') }
  const { statusCode } = await order(lambdaEvent('POST', '/webhooks/order-status', { body: text, headers }))
  return { statusCode, dynamodb: dynamodb.take(), sqs: sqs.take() }
}

async function postStripe(payload: string, secret: string) {
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', secret).update(`${t}.${payload}`).digest('hex')
  const event = lambdaEvent('POST', '/webhooks/stripe', {
    body: payload,
    headers: { 'stripe-signature': `t=${t},v1=${v1}` },
  })
  const { statusCode } = await stripe(event)
  return { statusCode, dynamodb: dynamodb.take(), sqs: sqs.take() }
}

async function postGithub(event: string, delivery: string, body: string, secret = GITHUB_SECRET) {
  const headers = {
    'x-github-event': event,
    'x-github-delivery': delivery,
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }
  const { statusCode } = await github(lambdaEvent('POST', '/webhooks/github', { body, headers }))
  return { statusCode, dynamodb: dynamodb.take().length, sqs: sqs.take() }
}

describe('the requests for a password', () => {
  const passwordOf = (name: string) => ready.users.find(({ username }) => username === name)?.password ?? ''

  async function post(username: string, password: string) {
    const body = new URLSearchParams({ username, password }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { statusCode } = await login(lambdaEvent('POST', '/api/auth/login', { body, headers }))
    return { statusCode, dynamodb: dynamodb.take().toSorted() }
  }

  async function basic(username: string, password: string) {
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    const { statusCode } = await secured(lambdaEvent('GET', '/api/user/secure', { headers: { authorization } }))
    return { statusCode, dynamodb: dynamodb.take().toSorted() }
  }

  const READS = ['BatchGetItem', 'DeleteItem', 'GetItem', 'GetItem']
  const updates = (count: number) => Array<string>(count).fill('UpdateItem')

  it('a right one: nine requests, one of which notes the login and one of which is its row in the audit trail; three more for an address that is new to the name', async () => {
    expect(await basic('jdbcuser', passwordOf('jdbcuser'))).toEqual({
      statusCode: 200,
      dynamodb: [...READS, 'PutItem', ...updates(4 + 3)],
    })
    expect(await post('jdbcuser', passwordOf('jdbcuser'))).toEqual({
      statusCode: 200,
      dynamodb: [...READS, 'PutItem', ...updates(4)],
    })
    // Remembered, and a login all the same.
    expect(await post('jdbcuser', passwordOf('jdbcuser'))).toEqual({
      statusCode: 200,
      dynamodb: ['BatchGetItem', 'GetItem', 'PutItem'],
    })
  })

  it('a cached one: two reads', async () => {
    await basic('jdbcadmin', passwordOf('jdbcadmin'))
    expect(await basic('jdbcadmin', passwordOf('jdbcadmin'))).toEqual({
      statusCode: 200,
      dynamodb: ['BatchGetItem', 'GetItem'],
    })
  })

  it('A03 a wrong one: the lookup, the user, three counts and its row, and the key of hashes once a process; after ten only the lookup, and once a row', async () => {
    const cost = ['BatchGetItem', 'GetItem', 'PutItem', ...updates(3)]
    expect(await post('nobody', 'wrong')).toEqual({ statusCode: 401, dynamodb: [...cost, ...updates(1)] })
    for (let guess = 1; guess < 10; guess++) {
      expect(await post('nobody', `wrong ${guess}`)).toEqual({ statusCode: 401, dynamodb: cost })
    }
    expect(await post('nobody', 'wrong')).toEqual({ statusCode: 429, dynamodb: ['BatchGetItem', 'PutItem'] })
    expect(await post('nobody', 'wrong')).toEqual({ statusCode: 429, dynamodb: ['BatchGetItem'] })
  })
})

describe('the requests for an API key', () => {
  async function list(key: string) {
    const { statusCode } = await events(lambdaEvent('GET', '/api/webhooks/events', { headers: { 'x-api-key': key } }))
    return { statusCode, dynamodb: dynamodb.take().filter((request) => request !== 'Query') }
  }

  it('a valid one: a read, one of its maker, and a note of its use in the background, and no more for a while', async () => {
    const { key, text } = newApiKey({
      id: '0000000000kkk',
      uid: MAKER,
      expiresAt: new Date('2100-01-01T00:00:00.000Z'),
    })
    await putRow('keys', keyItemOf(key))
    const first = await list(text)
    const noted = [...first.dynamodb]
    await vi.waitUntil(() => noted.push(...dynamodb.take()) === 3)
    expect([first.statusCode, noted.toSorted()]).toEqual([200, ['GetItem', 'GetItem', 'UpdateItem']])
    expect(await list(text)).toEqual({ statusCode: 200, dynamodb: [] })
  })

  it('an unknown one: a read each time, and no hash of a password; a malformed one: nothing', async () => {
    const unknown = newApiKey({ id: '0000000000uuu' }).text
    expect(await list(unknown)).toEqual({ statusCode: 401, dynamodb: ['GetItem'] })
    expect(await list(unknown)).toEqual({ statusCode: 401, dynamodb: ['GetItem'] })
    expect(await list('x')).toEqual({ statusCode: 401, dynamodb: [] })
  })
})

describe('the requests for a webhook', () => {
  // The first call of each source that is taken costs a note, which is counted on its own below.
  beforeAll(async () => {
    await postOrder({ eventId: randomUUID(), orderId: randomUUID(), status: 'SHIPPED' })
    await postStripe(JSON.stringify({ id: randomUUID(), type: 'customer.created' }), STRIPE_SECRET)
    await postGithub('issues', randomUUID(), '{}')
  })

  it('an accepted payment: one DynamoDB request, and one for its duplicate: a read by who met the event', async () => {
    const body = paymentBody()
    const write = { statusCode: 200, dynamodb: ['TransactWriteItems'], sqs: [] }
    const read = { ...write, dynamodb: ['GetItem'] }
    expect(await post(body)).toEqual(write)
    expect(await post(body)).toEqual(read)
    payment = await freshPayment()
    expect(await post(body)).toEqual(write)
    expect(await post(body)).toEqual(read)
  })

  it('a payment without an action: one', async () => {
    const cost = { dynamodb: ['PutItem'], sqs: [] }
    expect(await post(paymentBody({ status: 'PENDING' }))).toEqual({ statusCode: 200, ...cost })
  })

  it('a superseded payment: two', async () => {
    const body = paymentBody({ status: 'REFUNDED' })
    await post(body)
    const late = await post({ ...body, eventId: randomUUID(), status: 'COMPLETED' })
    const cost = { dynamodb: ['TransactWriteItems', 'TransactWriteItems'], sqs: [] }
    expect(late).toEqual({ statusCode: 200, ...cost })
  })

  it('a payment whose handler fails: the try, its FAILED row and one hint', async () => {
    const body = paymentBody()
    await post(body)
    const failing = await post({ ...body, eventId: randomUUID(), orderId: 'other' })
    const cost = { dynamodb: ['TransactWriteItems', 'PutItem'], sqs: ['SendMessage'] }
    expect(failing).toEqual({ statusCode: 500, ...cost })
  })

  it('a body that is too large for an item: one more; one for its duplicate, or three, whose last removes its parts', async () => {
    const body = paymentBody({ note: randomBytes(600_000).toString('base64') })
    const two = { statusCode: 200, dynamodb: ['BatchWriteItem', 'TransactWriteItems'], sqs: [] }
    expect(await post(body)).toEqual(two)
    expect(await post(body)).toEqual({ ...two, dynamodb: ['GetItem'] })
    payment = await freshPayment()
    const three = [...two.dynamodb, 'BatchWriteItem']
    expect(await post(body)).toEqual({ ...two, dynamodb: three })
  })

  it('an order: one, one for its duplicate, two for a superseded one', async () => {
    const body = { eventId: randomUUID(), orderId: randomUUID(), status: 'SHIPPED', timestamp: '2026-01-02T03:04:05' }
    const one = { statusCode: 200, dynamodb: ['TransactWriteItems'], sqs: [] }
    expect(await postOrder(body)).toEqual(one)
    expect(await postOrder(body)).toEqual({ ...one, dynamodb: ['GetItem'] })
    expect(await postOrder({ ...body, eventId: randomUUID(), timestamp: undefined })).toEqual(one)
    const late = await postOrder({ ...body, eventId: randomUUID(), timestamp: '2026-01-02T03:04' })
    expect(late).toEqual({ ...one, dynamodb: ['TransactWriteItems', 'TransactWriteItems'] })
  })

  it('a Stripe event: one, one for its duplicate', async () => {
    const intent = { id: randomUUID(), currency: 'eur', amount: 100 }
    const payload = JSON.stringify({ id: randomUUID(), type: 'payment_intent.succeeded', data: { object: intent } })
    const one = { statusCode: 200, dynamodb: ['TransactWriteItems'], sqs: [] }
    expect(await postStripe(payload, STRIPE_SECRET)).toEqual(one)
    expect(await postStripe(payload, STRIPE_SECRET)).toEqual({ ...one, dynamodb: ['GetItem'] })
  })

  it.each([
    ['push', ['SendMessage']],
    ['issues', []],
  ])('a GitHub %s: one, one for its duplicate', async (event, sent) => {
    const delivery = randomUUID()
    const body = JSON.stringify({ ref: delivery })
    const one = { statusCode: 200, dynamodb: 1 }
    expect(await postGithub(event, delivery, body)).toEqual({ ...one, sqs: sent })
    expect(await postGithub(event, delivery, body)).toEqual({ ...one, sqs: [] })
    const unreadable = { statusCode: 200, dynamodb: 1, sqs: [] }
    expect(await postGithub(event, randomUUID(), `{${delivery}`)).toEqual(unreadable)
  })

  const ORDER = { eventId: 'refused', orderId: 'o', status: 'LOST' }

  it.each<[string, number, () => Promise<{ readonly statusCode: number; readonly dynamodb: unknown }>]>([
    ['a bad signature', 401, () => post(paymentBody(), { 'x-signature': 'a'.repeat(64) })],
    ['an invalid body', 400, () => post('{')],
    ['an order with a bad signature', 401, () => postOrder(ORDER, 'another secret')],
    ['an invalid order', 400, () => postOrder(ORDER)],
    ['a Stripe event with a bad signature', 400, () => postStripe('{}', 'whsec_other')],
    ['a content coding', 415, () => post('{}', { 'content-encoding': 'gzip' })],
  ])('W41 %s: one, and none for equal ones in the next ten seconds', async (_, statusCode, refused) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const [one, none] = [['UpdateItem'], []].map((dynamodb) => ({ statusCode, dynamodb, sqs: [] }))
    // The first of a source is noted, too.
    await refused()
    vi.advanceTimersByTime(10_000)
    expect([await refused(), await refused()]).toEqual([one, none])
    vi.advanceTimersByTime(9_999)
    expect(await refused()).toEqual(none)
    vi.advanceTimersByTime(1)
    expect(await refused()).toEqual(one)
    vi.useRealTimers()
  })

  it.each([
    ['accepted', STRIPE_SECRET, 'PutItem'],
    ['refused', 'whsec_other', 'UpdateItem'],
  ])('the first call of a source in ten minutes that is %s: one more', async (_, secret, write) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    async function costAfter(milliseconds: number) {
      vi.advanceTimersByTime(milliseconds)
      const { dynamodb: requests } = await postStripe(JSON.stringify({ id: randomUUID() }), secret)
      return requests.toSorted()
    }
    const [one, two] = [[write], [write, 'UpdateItem']]
    expect(await costAfter(600_000)).toEqual(two)
    expect(await costAfter(589_999)).toEqual(one)
    expect(await costAfter(10_001)).toEqual(two)
    vi.useRealTimers()
  })
})
