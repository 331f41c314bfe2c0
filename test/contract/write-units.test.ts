import { randomBytes, randomUUID } from 'node:crypto'
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Documents } from '../../lib/adapters/dynamodb/client.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { systemClock } from '../../lib/runtime/clock.ts'
import { clockIds } from '../../lib/runtime/ids.ts'
import { logAudit } from '../../lib/webhooks/audit.ts'
import { createInbox } from '../../lib/webhooks/inbox.ts'
import { paymentSource } from '../../lib/webhooks/sources/payment.ts'
import { type EmulatedStore, ENGINE, emulatedStore, TABLES } from '../support/emulated-store.ts'
import { recordingLog } from '../support/fakes/log.ts'
import { deliveryOf, PAYMENT, POLICY } from '../support/fakes/webhooks.ts'

/** USD for a million write request units, on demand in us-east-1 (aws.amazon.com/dynamodb/pricing/on-demand). */
const PRICE = 0.625

const SIZE = 3072

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

  it.each([
    ['of text', 'An order was paid. '.repeat(200)],
    ['that hardly compresses', randomBytes(SIZE).toString('base64')],
  ])('Write units for a 3 KB payment event ≤ 11: one %s', async (what, note) => {
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
    expect(await inbox.accept(paymentSource, deliveryOf(paymentOf3Kb(note)))).toBe('processed')
    console.log(`${engine}, ${what}: ${units()} units, ${units() * PRICE} USD a million`)
    expect(units()).toBeGreaterThan(4)
    expect(units()).toBeLessThanOrEqual(11)
  })
})
