import { inspect } from 'node:util'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import Stripe from 'stripe'
import { beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { headersIn } from '../../lib/adapters/dynamodb/stored-body.ts'
import { tokenOf } from '../support/accounts.ts'
import { type Answer, bearer, type Call, call, form } from '../support/client.ts'
import { eventDetail, payment, postJson, postPayment } from '../support/events.ts'
import { linesWith, logLines } from '../support/service-log.ts'

const CANARY = `canary-${crypto.randomUUID()}`
/** In the few headers that are kept with an event, and may be seen there alone. */
const KEPT = `kept-${crypto.randomUUID()}`
/** Lists show it, in the summary. */
const ORDER = `order-${crypto.randomUUID()}`
const BASIC = Buffer.from(`canary:${CANARY}`).toString('base64')

/** Every kind of credential that a header carries, and headers that nobody knows. */
const HEADERS = {
  authorization: `Bearer ${CANARY}`,
  'proxy-authorization': `Basic ${BASIC}`,
  cookie: `JSESSIONID=${CANARY}; XSRF-TOKEN=${CANARY}`,
  'x-xsrf-token': CANARY,
  'x-api-key': CANARY,
  'x-auth-token': CANARY,
  'x-gitlab-token': CANARY,
  'x-telegram-bot-api-secret-token': CANARY,
  'x-hub-signature': `sha1=${CANARY}`,
  'x-hub-signature-256': `sha256=${CANARY}`,
  'x-shopify-hmac-sha256': CANARY,
  'x-slack-signature': `v0=${CANARY}`,
  'svix-signature': `v1,${CANARY}`,
  'webhook-signature': `v1,${CANARY}`,
  'x-amz-security-token': CANARY,
  'x-timestamp': CANARY,
  referer: `https://example.com/?token=${CANARY}`,
  'x-anything': CANARY,
  'user-agent': KEPT,
  'x-request-id': KEPT,
}

/** Every field of the payloads (webhooks-29) that takes a text and names no event and no order, and fields that nobody knows. */
const STORED = payment({
  eventType: CANARY,
  source: CANARY,
  transactionId: `tx-${CANARY}`,
  orderId: ORDER,
  customerId: CANARY,
  card: { number: CANARY, [CANARY]: [CANARY] },
})
const FAILING = { ...STORED, eventId: `${STORED['eventId']}-failing`, orderId: `other-${ORDER}` }

const STRIPE_EVENT = {
  id: `evt_${crypto.randomUUID()}`,
  object: 'event',
  type: 'payment_intent.succeeded',
  request: { idempotency_key: CANARY },
  data: {
    object: {
      id: `pi_${CANARY}`,
      amount: 1099,
      currency: 'eur',
      customer: CANARY,
      client_secret: CANARY,
      receipt_email: `${CANARY}@example.com`,
      metadata: { orderId: ORDER, note: CANARY },
    },
  },
}
const STRIPE_BODY = JSON.stringify(STRIPE_EVENT)

const stripeSignature = () =>
  new Stripe('sk_test_none').webhooks.generateTestHeaderString({
    payload: STRIPE_BODY,
    secret: inject('ready').webhookSecrets['stripe'] ?? '',
  })

const fieldsOf = (value: object) =>
  Object.fromEntries(['status', 'amount', 'timestamp', 'orderId', 'eventId'].map((field) => [field, value]))

/** The calls whose canaries are refused, each with its status. */
const REFUSED: readonly [string, number, string, () => Call][] = [
  ['a wrong signature', 401, '/webhooks/payment', () => postJson(STORED, { ...HEADERS, 'x-signature': CANARY })],
  ['a body that is not JSON', 400, '/webhooks/payment', () => postJson(`{"note":"${CANARY}"`, HEADERS)],
  [
    'fields that break their rules',
    400,
    '/webhooks/payment',
    () => postJson(payment(fieldsOf({ [CANARY]: `\u0000${CANARY}` })), HEADERS),
  ],
  [
    'a wrong Stripe signature',
    400,
    '/webhooks/stripe',
    () => postJson(STRIPE_BODY, { ...HEADERS, 'stripe-signature': `t=1,v1=${CANARY}` }),
  ],
  ['a webhook with a content coding', 415, '/webhooks/payment', () => postJson(CANARY, { 'content-encoding': CANARY })],
  ['an unknown path', 404, `/api/nothing?token=${CANARY}`, () => ({ headers: HEADERS })],
  ['a bearer token', 401, `/api/admin/secure?token=${CANARY}`, () => ({ headers: HEADERS })],
  ['Basic', 401, '/api/jdbc/users', () => ({ headers: { ...HEADERS, authorization: `Basic ${BASIC}` } })],
  ['a password', 401, '/api/auth/login', () => form({ username: 'admin', password: CANARY })],
  ['a form field', 400, '/api/auth/login', () => form({ username: '', password: CANARY, [CANARY]: CANARY })],
  ['a session', 401, '/api/auth/info', () => ({ headers: { cookie: `JSESSIONID=${CANARY}` } })],
]

const answers: Answer[] = []

function leaks(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => [CANARY, KEPT, BASIC].some((secret) => text.includes(secret)))
}

async function newUser(): Promise<Answer> {
  const { headers } = bearer(await tokenOf('admin'))
  const body = { username: `u-${crypto.randomUUID().slice(0, 8)}`, password: CANARY, role: 'ROLE_USER', [CANARY]: 1 }
  return call('/api/users', postJson(body, { ...HEADERS, cookie: '', ...headers }))
}

/** The rows as the table holds them, without the payload. */
async function rowOf(source: string, eventId: unknown): Promise<Record<string, unknown>> {
  const client = new DynamoDBClient({
    endpoint: inject('ready').dynamodb,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })
  const { Item: { payload: _payload, ...row } = {} } = await DynamoDBDocumentClient.from(client).send(
    new GetCommand({ TableName: 'gatehouse-local-events', Key: { source, eventId } }),
  )
  return row
}

beforeAll(async () => {
  const accepted = [
    await postPayment(STORED, HEADERS),
    await postPayment({ ...STORED, card: CANARY }, HEADERS),
    await postPayment(FAILING, HEADERS),
    await call('/webhooks/stripe', postJson(STRIPE_BODY, { ...HEADERS, 'stripe-signature': stripeSignature() })),
    await newUser(),
  ]
  expect(accepted.map(({ status }) => status)).toEqual([200, 200, 500, 200, 201])
  answers.push(...accepted)
  await vi.waitUntil(async () => (await eventDetail('payment', FAILING.eventId)).json.dead, { timeout: 20_000 })
})

describe('W25 a secret that a caller sends', () => {
  it.each(REFUSED)('is not in the answer: %s, %i', async (_, status, path, given) => {
    const answer = await call(path, given())
    expect(answer.status).toBe(status)
    answers.push(answer)
    expect(leaks([answer.text, JSON.stringify(answer.headers)])).toEqual([])
  })

  it('is in no answer to an accepted call', () => {
    expect(leaks(answers.map(({ text, headers }) => text + JSON.stringify(headers)))).toEqual([])
  })

  it('is in no log line and in no metric', async () => {
    for (const decision of ['processed', 'duplicate', 'failed', 'retried', 'dead', 'refused']) {
      await linesWith([`"decision":"${decision}"`])
    }
    for (const counter of ['Accepted', 'Duplicate', 'Refused', 'Failed', 'Retried', 'Dead']) {
      await linesWith(['"_aws"', `"${counter}":`])
    }
    expect(leaks(logLines())).toEqual([])
  })

  it('is in no list of events', async () => {
    const admin = bearer(await tokenOf('admin'))
    for (const id of [STORED['eventId'], FAILING.eventId, STRIPE_EVENT.id]) {
      const { json, text } = await call(`/api/webhooks/events?q=${id}`, admin)
      expect(json.events).toContainEqual(expect.objectContaining({ eventId: id }))
      expect(leaks([text])).toEqual([])
    }
  })

  it.each([
    ['payment', STORED['eventId']],
    ['payment', FAILING.eventId],
    ['stripe', STRIPE_EVENT.id],
  ])('is stored with the event and shown to an admin only in the payload as received: %s %s', async (source, id) => {
    const { json } = await eventDetail(source, String(id))
    const { payload, headers, ...record } = json
    expect(payload).toContain(CANARY)
    expect(headers).toEqual({ 'content-type': 'application/json', 'user-agent': KEPT, 'x-request-id': KEPT })
    expect(leaks([JSON.stringify(record)])).toEqual([])
    const { headers: stored, ...row } = await rowOf(source, id)
    expect(headersIn(stored as Uint8Array)).toEqual(headers)
    expect(row).toMatchObject({ source, eventId: id })
    expect(leaks([inspect(row, { depth: null, maxStringLength: null })])).toEqual([])
  })
})
