import { randomUUID } from 'node:crypto'
import type { Context } from 'aws-lambda'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { dynamoReplays } from '../../lib/adapters/dynamodb/replays.ts'
import { dynamoDueEvents } from '../../lib/adapters/dynamodb/retry-store.ts'
import { documentClient } from '../../lib/adapters/dynamodb/table.ts'
import { coldFunction } from '../support/cold-function.ts'
import { type CountingProxy, countingProxy } from '../support/counting-proxy.ts'
import { LAMBDA_ENVIRONMENT } from '../support/lambda-environment.ts'
import { lambdaEvent } from '../support/lambda-event.ts'

const ready = inject('ready')
let dynamodb: CountingProxy
let sqs: CountingProxy

beforeAll(async () => {
  dynamodb = await countingProxy(ready.dynamodb)
  sqs = await countingProxy(ready.sqs)
  const environment = {
    ...LAMBDA_ENVIRONMENT,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ENDPOINT_URL_SQS: sqs.url,
    // Queues that the service under test does not read.
    RETRY_QUEUE_URL: `${sqs.url}/000000000000/gatehouse-local-retry-dead`,
    REPLAY_QUEUE_URL: `${sqs.url}/000000000000/gatehouse-local-replay-dead`,
  }
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
})

afterAll(async () => {
  await dynamodb.close()
  await sqs.close()
})

const CONTEXT = { awsRequestId: 'r', getRemainingTimeInMillis: () => 30_000 } as Context

const cold = coldFunction<(event: unknown, context: Context) => Promise<unknown>>

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const WRONG = { headers: FORM, body: 'username=user&password=wrong' }
function payment(changes: object) {
  const id = randomUUID()
  const body = { eventId: id, transactionId: id, orderId: 'o', status: 'COMPLETED', currency: 'EUR', amount: 1 }
  return lambdaEvent('POST', '/webhooks/payment', { body: JSON.stringify({ ...body, ...changes }) })
}

/** Stores a payment. @returns another that contradicts it */
async function failingPayment(eventId: string = randomUUID()) {
  const transactionId = randomUUID()
  const intake = await cold('webhooks/payment')
  await intake(payment({ transactionId }), CONTEXT)
  return payment({ transactionId, orderId: 'another', eventId })
}

function listOfUsers() {
  const { username, password } = ready.users.find((user) => user.username === 'jdbcadmin') ?? {}
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return lambdaEvent('GET', '/api/jdbc/users', { headers: { authorization } })
}

/** Leaves three events that failed, and a replay of them. */
async function replayOfFailures() {
  const replayId = randomUUID()
  const intake = await cold('webhooks/payment')
  for (const name of ['a', 'b', 'c']) await intake(await failingPayment(`${replayId}-${name}`), CONTEXT)
  const progress = { state: 'RUNNING', matched: 3, done: 0, failed: 0, isListed: false } as const
  const order = { filter: { q: replayId }, ratePerSecond: 50, user: 'ada', acceptedAt: new Date(), step: 0 }
  await dynamoReplays(documentClient(), 'gatehouse-local-replays').create({ replayId, ...order, ...progress })
  return { Records: [{ messageId: 'm', body: JSON.stringify({ replayId, step: 0 }) }] }
}

/** Puts off what earlier calls left due, or soon due: a scan sends a hint for each. */
async function nothingDue() {
  const due = dynamoDueEvents(documentClient(), 'gatehouse-local-events')
  const soon = new Date(Date.now() + 60_000)
  const later = new Date(Date.now() + 3_600_000)
  for await (const events of due.dueBy(soon)) for (const { hint } of events) await due.postponeScan(hint, later)
  return {}
}

interface Connections {
  readonly dynamodb: number
  readonly sqs: number
}

/** First calls, and how many requests each has under way at once at most. */
const CALLS: readonly (readonly [name: string, what: string, connections: Connections, event: () => unknown])[] = [
  ['api/auth-login', 'a failed login', { dynamodb: 2, sqs: 0 }, () => lambdaEvent('POST', '/api/auth/login', WRONG)],
  ['login/form', 'a failed login', { dynamodb: 2, sqs: 0 }, () => lambdaEvent('POST', '/login', WRONG)],
  [
    'api/jdbc-users',
    'a right password, which undoes four counts and notes the login',
    { dynamodb: 5, sqs: 0 },
    listOfUsers,
  ],
  ['webhooks/payment', 'a payment', { dynamodb: 1, sqs: 0 }, () => payment({})],
  ['webhooks/payment', 'a payment that fails', { dynamodb: 1, sqs: 1 }, () => failingPayment()],
  [
    'jobs/retry-scan',
    'a scan of events, of removed destinations, of sources, two days at midnight, and of replays, of which another test may leave one',
    { dynamodb: 5, sqs: 1 },
    nothingDue,
  ],
  ['jobs/replay-step', 'a replay, which lists by four keys', { dynamodb: 4, sqs: 3 }, replayOfFailures],
]

describe('a new process opens no more connections than it has parallel requests', () => {
  it.each(CALLS)('%s: %s', async (name, _, connections, event) => {
    const given = await event()
    for (const proxy of [dynamodb, sqs]) proxy.takeOpened()
    const handler = await cold(name)
    await handler(given, CONTEXT)
    const opened = { dynamodb: dynamodb.takeOpened(), sqs: sqs.takeOpened() }
    expect(opened.dynamodb).toBeGreaterThan(0)
    expect(opened.dynamodb).toBeLessThanOrEqual(connections.dynamodb)
    expect(opened.sqs).toBeLessThanOrEqual(connections.sqs)
  })
})
