import { randomBytes, randomUUID } from 'node:crypto'
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, describe, expect, it } from 'vitest'
import { dynamoEventReader } from '../../lib/adapters/dynamodb/event-reader.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { dynamoRetryStore } from '../../lib/adapters/dynamodb/retry-store.ts'
import { clockIds } from '../../lib/runtime/ids.ts'
import { systemClock } from '../../lib/runtime/time.ts'
import { logAudit } from '../../lib/webhooks/audit.ts'
import { hintOf } from '../../lib/webhooks/event.ts'
import { createInbox, type Inbox } from '../../lib/webhooks/inbox.ts'
import { createRetries } from '../../lib/webhooks/retry/worker.ts'
import { paymentSource } from '../../lib/webhooks/sources/payment.ts'
import { TABLES } from '../support/emulated-store.ts'
import { recordingLog } from '../support/fakes/log.ts'
import { bodyOf, deliveryOf, handedOverSource, PAYMENT, POLICY } from '../support/fakes/webhooks.ts'
import { startedStore } from './stores.ts'

const store = startedStore('dynoxide')
let inbox: Inbox
const queue = { send: async () => {} }
const log = recordingLog()
const clock = systemClock
const parts = { queue, policy: POLICY, clock, ids: clockIds(clock), audit: logAudit(log), log }

beforeAll(() => {
  inbox = createInbox({ ...parts, events: dynamoEventStore(store.documents, TABLES) })
})

const accept = (changes: object) => inbox.accept(paymentSource, deliveryOf({ ...PAYMENT, ...changes }))

async function storedPayment(transactionId: string) {
  const { Item: item } = await store.documents.send(
    new GetCommand({ TableName: TABLES.payments, Key: { transactionId } }),
  )
  const { status, amount, currency, orderId, customerId } = item ?? {}
  return { status, amount, currency, orderId, customerId }
}

describe('the inbox on the emulated store', () => {
  it('W08 two hundred parallel copies of one event: one is processed, with one effect', async () => {
    const id = randomUUID()
    const answers = await Promise.all(Array.from({ length: 200 }, () => accept({ eventId: id, transactionId: id })))
    expect(answers.filter((answer) => answer === 'processed')).toHaveLength(1)
    expect(answers.filter((answer) => answer === 'duplicate')).toHaveLength(199)
    const event = await dynamoEventReader(store.documents, TABLES.events).find({ source: 'payment', eventId: id })
    expect(event?.history).toHaveLength(1)
  })

  it('leads to the same payment in any order of its events', async () => {
    const statuses = ['PENDING', 'COMPLETED', 'REFUNDED', 'COMPLETED']
    const orders = permutationsOf(statuses.keys().toArray())
    const ends = new Set<string>()
    for (const order of orders) {
      const transactionId = randomUUID()
      for (const index of order) {
        const status = statuses[index]
        await accept({ status, transactionId, eventId: `${transactionId} ${status}` })
      }
      ends.add(JSON.stringify(await storedPayment(transactionId)))
    }
    expect(orders).toHaveLength(24)
    expect([...ends].map((end) => JSON.parse(end))).toEqual([
      { status: 'REFUNDED', amount: '10.5', currency: 'EUR', orderId: 'order-1', customerId: 'customer-1' },
    ])
  })

  it('deferred work moves from RECEIVED over PROCESSING to PROCESSED, with a large or a small body', async () => {
    const source = handedOverSource(() => ({ outcome: 'pushed' }))
    const retries = createRetries({
      ...parts,
      store: dynamoRetryStore(store.documents, TABLES),
      sourceOf: () => source,
    })
    for (const body of ['small', Buffer.alloc(4_194_304, randomUUID()), randomBytes(1_000_000)]) {
      const key = { source: 'test', eventId: randomUUID() }
      const delivery = { body: bodyOf(body), headers: { 'x-id': key.eventId } }
      expect(await inbox.accept(source, delivery)).toBe('received')
      expect(await inbox.accept(source, delivery)).toBe('duplicate')
      expect(await inbox.accept(source, { ...delivery, headers: { 'x-id': randomUUID() } })).toBe('duplicate')
      expect(await retries.attempt(hintOf({ ...key, status: 'RECEIVED', attempts: 0 }))).toBe('processed')
      const event = await dynamoEventReader(store.documents, TABLES.events).find(key)
      expect(event?.history.map(({ status, by }) => `${status} ${by}`)).toEqual([
        'RECEIVED intake',
        'PROCESSING worker',
        'PROCESSED worker',
      ])
      expect([event?.outcome, event?.payload?.equals(delivery.body)]).toEqual(['pushed', true])
    }
  })
})

function permutationsOf(items: readonly number[]): readonly (readonly number[])[] {
  if (items.length === 0) return [[]]
  return items.flatMap((item) => permutationsOf(items.filter((other) => other !== item)).map((rest) => [item, ...rest]))
}
