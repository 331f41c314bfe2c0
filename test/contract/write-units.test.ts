import { randomBytes, randomUUID } from 'node:crypto'
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Documents } from '../../lib/adapters/dynamodb/client.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { systemClock } from '../../lib/runtime/clock.ts'
import { clockIds } from '../../lib/runtime/ids.ts'
import { logAudit } from '../../lib/webhooks/audit.ts'
import { createInbox } from '../../lib/webhooks/inbox.ts'
import { provider as stripe } from '../../lib/webhooks/providers/stripe.ts'
import type { EventSource, VerifiedCall } from '../../lib/webhooks/source.ts'
import { sourceOf } from '../../lib/webhooks/sources/catalog.ts'
import { paymentSource } from '../../lib/webhooks/sources/payment.ts'
import { type EmulatedStore, ENGINE, emulatedStore, TABLES } from '../support/emulated-store.ts'
import { recordingLog } from '../support/fakes/log.ts'
import { deliveryOf, PAYMENT, POLICY } from '../support/fakes/webhooks.ts'

/** USD for a million write request units, on demand in us-east-1 (aws.amazon.com/dynamodb/pricing/on-demand). */
const PRICE = 0.625

const SIZE = 3072

/** The fewest units of a transaction: twice those of two small rows, and the index. */
const TRANSACTION = 5

/** A payment whose body has exactly 3 KB. */
function paymentOf3Kb(note: string): object {
  const id = randomUUID()
  const payment = { ...PAYMENT, eventId: id, transactionId: id, note: '' }
  return { ...payment, note: note.slice(0, SIZE - JSON.stringify(payment).length) }
}

interface Metered {
  readonly documents: Documents
  units(): number
}

/** Passes requests on and adds up what they cost, with their indexes. */
function metered({ documents }: EmulatedStore): Metered {
  const consumed: ConsumedCapacity[] = []
  const send = async (command: { readonly input: object }) => {
    Object.assign(command.input, { ReturnConsumedCapacity: 'INDEXES' })
    const answer = (await documents.send(command as never)) as { ConsumedCapacity?: ConsumedCapacity[] }
    consumed.push(...[answer.ConsumedCapacity ?? []].flat())
    return answer
  }
  return {
    documents: { send } as Documents,
    units: () => consumed.reduce((sum, { CapacityUnits: units = 0 }) => sum + units, 0),
  }
}

describe.each([ENGINE])('what %s counts', (engine) => {
  let store: EmulatedStore

  beforeAll(async () => {
    store = await emulatedStore(engine)
  })
  afterAll(() => store.stop())

  async function unitsOf(source: EventSource, body: object): Promise<number> {
    const { documents, units } = metered(store)
    const log = recordingLog()
    const inbox = createInbox({
      events: dynamoEventStore(documents, TABLES),
      queue: { send: async () => {} },
      policy: POLICY,
      clock: systemClock,
      ids: clockIds(systemClock),
      audit: logAudit(log),
      log,
    })
    expect(await inbox.accept(source, proven(source, body))).toBe('processed')
    return units()
  }

  const [TEXT, NOISE] = ['An order was paid. '.repeat(200), randomBytes(SIZE).toString('base64')]
  const id = () => randomUUID()
  const intent = (note: string) => ({ id: id(), currency: 'eur', amount: 100, note })

  it.each<[string, number, EventSource, () => object]>([
    ['a payment', 5, paymentSource, () => ({ ...PAYMENT, eventId: id(), transactionId: id() })],
    ['a payment of 3 KB of text', 5, paymentSource, () => paymentOf3Kb(TEXT)],
    ['a payment of 3 KB that hardly compresses', 9, paymentSource, () => paymentOf3Kb(NOISE)],
    [
      'a payment of Stripe',
      5,
      stripe,
      () => ({ id: id(), type: 'payment_intent.succeeded', data: { object: intent('') } }),
    ],
    ['another event of Stripe', 2, stripe, () => ({ id: id(), type: 'customer.created' })],
    ['an event with a signed id', 2, sourceOf('demo'), () => ({ eventId: id() })],
    ['an event with a signed id and 2 KB', 3, sourceOf('demo'), () => ({ eventId: id(), note: NOISE.slice(0, 2048) })],
    ['an event whose content is compared', 5, sourceOf('shopify'), () => ({ id: id() })],
  ])('%s: %i write units', async (what, wanted, source, body) => {
    const units = await unitsOf(source, body())
    console.log(`${engine}, ${what}: ${units} units, ${units * PRICE} USD a million`)
    // DynamoDB Local counts the index twice in a transaction, too.
    const isTransaction = wanted >= TRANSACTION
    expect(units).toBe(engine === 'java' && isTransaction ? wanted + 1 : wanted)
  })
})

/** A call with a signed time under a configured secret. */
function proven({ name }: EventSource, payload: object): VerifiedCall {
  const delivery = deliveryOf(payload)
  const headers = { ...delivery.headers, 'x-shopify-webhook-id': randomUUID() }
  const key = `${name}#1`
  return { ...delivery, headers, proven: { covers: 'body', key, signedAt: new Date(), signed: () => [delivery.body] } }
}
