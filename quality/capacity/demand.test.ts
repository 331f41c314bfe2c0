import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Documents } from '../../lib/adapters/dynamodb/client.ts'
import { dynamoDeliveryStore } from '../../lib/adapters/dynamodb/delivery-store.ts'
import { dynamoDueDeliveries } from '../../lib/adapters/dynamodb/due-deliveries.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { dynamoOperatorStore } from '../../lib/adapters/dynamodb/operator-store.ts'
import { dynamoRetryStore } from '../../lib/adapters/dynamodb/retry-store.ts'
import { provider as github } from '../../lib/webhooks/providers/github.ts'
import { provider as stripe } from '../../lib/webhooks/providers/stripe.ts'
import type { EventSource, Plan, VerifiedCall } from '../../lib/webhooks/source.ts'
import { paymentSource } from '../../lib/webhooks/sources/payment.ts'
import { type EmulatedStore, emulatedStore, TABLES } from '../../test/support/emulated-store.ts'
import { START } from '../../test/support/fakes/clock.ts'
import { failedEvent, PAYMENT } from '../../test/support/fakes/webhooks.ts'
import { inboxOn, proven } from '../../test/support/metered.ts'
import { githubEvent, stripeEvent } from '../../test/support/sent-events.ts'
import { EVENTS, type EventKind, intakeUnits, MOVES, type Units } from './demand.ts'

let store: EmulatedStore
let told: ConsumedCapacity[] = []
let documents: Documents

beforeAll(async () => {
  store = await emulatedStore('dynoxide')
  const send = async (command: { readonly input: object }) => {
    Object.assign(command.input, { ReturnConsumedCapacity: 'INDEXES' })
    const answer = (await store.documents.send(command as never)) as { ConsumedCapacity?: ConsumedCapacity[] }
    told.push(...[answer.ConsumedCapacity ?? []].flat())
    return answer
  }
  documents = { send } as Documents
})
afterAll(() => store.stop())

/** The units by table and index since the last look. */
function counted(): Units {
  const units: Record<string, number> = {}
  for (const { TableName = '', Table, GlobalSecondaryIndexes = {} } of told) {
    const table = TableName.replace(/^.*-/, '')
    units[table] = (units[table] ?? 0) + (Table?.CapacityUnits ?? 0)
    for (const [index, { CapacityUnits = 0 }] of Object.entries(GlobalSecondaryIndexes)) {
      units[`${table}.${index}`] = (units[`${table}.${index}`] ?? 0) + CapacityUnits
    }
  }
  told = []
  return units
}

const noise = () => {
  const payment = { ...PAYMENT, eventId: randomUUID(), transactionId: randomUUID(), note: '' }
  const room = 3072 - JSON.stringify(payment).length
  return JSON.stringify({ ...payment, note: randomBytes(3072).toString('base64').slice(0, room) })
}

const SENT: Readonly<Record<EventKind, readonly [EventSource, () => string]>> = {
  'a payment of Stripe': [stripe, () => stripeEvent(3072)],
  'another event of Stripe': [stripe, () => stripeEvent(3072).replace('intent.succeeded', 'intent.created')],
  'a payment that hardly compresses': [paymentSource, noise],
  'an event of GitHub': [github, () => githubEvent(3072)],
}

it.each(Object.keys(EVENTS) as EventKind[])('the units of %s are those that are counted', async (kind) => {
  const [source, body] = SENT[kind]
  await inboxOn(documents).accept(source, proven(source, body()))
  expect(counted()).toEqual(EVENTS[kind])
})

it('the units of an event equal the budgets', () => {
  const { units } = JSON.parse(readFileSync('quality/budgets.json', 'utf8'))
  const sum = (kind: EventKind) => Object.values<number>(EVENTS[kind]).reduce((all, one) => all + one, 0)
  expect(units).toEqual({
    'a payment of Stripe of 3 KB': sum('a payment of Stripe'),
    'another event of Stripe of 3 KB': sum('another event of Stripe'),
    'an event of GitHub of 3 KB': sum('an event of GitHub'),
  })
})

it('the units of deliveries are those that are counted, from their rows to their ends', async () => {
  const payload = Buffer.alloc(300, 'x')
  const status = 'PROCESSED'
  const event = failedEvent({
    payload,
    payloadSha256: createHash('sha256').update(payload).digest('hex'),
    eventId: randomUUID(),
    status,
    processedAt: START,
    history: [{ at: START, status, by: 'intake' }],
    errorMessage: undefined,
    nextRetryAt: undefined,
  })
  const leaseUntil = new Date(START.getTime() + 40_000)
  const later = new Date(START.getTime() + 300_000)
  const deliverTo = ['crm', 'mail', 'bus'].map((destination) => ({ destination, sweepAt: leaseUntil }))
  await dynamoEventStore(documents, TABLES).insert(event, {}, { deliverTo })
  expect(counted()).toEqual(intakeUnits('another event of Stripe', 3))

  const moves = dynamoDeliveryStore(documents, TABLES.deliveries)
  const { source, eventId } = event
  const key = { source, eventId, destination: 'crm' }
  const claimed = async (n: number) => {
    const claim = { ...key, n, owner: randomUUID(), now: START, leaseUntil }
    const result = await moves.claim(claim)
    if (result.kind !== 'claimed') throw new Error('not claimed')
    return [claim, result.delivery] as const
  }
  const [claim, delivery] = await claimed(0)
  expect(counted()).toEqual(MOVES.firstTry)
  await moves.fail(claim, delivery, { at: START, answer: '503', dueAt: START })
  expect(counted()).toEqual(MOVES.failure)
  await dynamoDueDeliveries(documents, TABLES.deliveries).postponeScan({ ...key, n: 1 }, later)
  expect(counted()).toEqual(MOVES.woken)
  const [again, second] = await claimed(1)
  expect(counted()).toEqual(MOVES.furtherTry)
  await moves.deliver(again, second, '200', START)
  expect(counted()).toEqual(MOVES.success)
})

it('the units of an event that a replay runs again are those that are counted', async () => {
  const text = stripeEvent(3072)
  const call = proven(stripe, text)
  const plan = () => {
    throw new Error('nobody is there')
  }
  const broken = { ...stripe, read: (read: VerifiedCall) => ({ ...stripe.read(read), plan }) }
  await expect(inboxOn(documents).accept(broken, call)).rejects.toThrow('Processing failed')
  counted()

  const key = { source: 'stripe', eventId: JSON.parse(text).id as string }
  const at = new Date(Date.now() + 1000)
  await dynamoOperatorStore(documents, TABLES.events).reset(key, { at, user: 'ada', reason: 'replay r', replayId: 'r' })
  expect(counted()).toEqual(MOVES.reset)
  const retries = dynamoRetryStore(documents, TABLES)
  const leaseUntil = new Date(at.getTime() + 40_000)
  const claim = { ...key, n: 1, maxAttempts: 3, owner: 'me', now: new Date(at.getTime() + 1), leaseUntil }
  const claimed = await retries.claim(claim)
  if (claimed.kind !== 'claimed') throw new Error('not claimed')
  expect(counted()).toEqual(MOVES.claim)
  const { payment: change } = stripe.read(call).plan() as Plan
  await retries.finish(claim, claimed.event, { payment: change && { mode: 'advance', change } }, at)
  expect(counted()).toEqual(MOVES.finish)
})
