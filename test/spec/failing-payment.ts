import { randomUUID } from 'node:crypto'
import { memoizeAsync } from '../../lib/runtime/cache.ts'
import { payment, postPayment } from '../support/events.ts'

export const FAILURE = 'transaction belongs to another order or currency'

/** A payload, not yet sent, whose handling throws {@link FAILURE}: the stored transaction is another order's. */
export async function failingPayment() {
  const stored = payment()
  await postPayment(stored)
  const { transactionId } = stored
  return { ...stored, transactionId, eventId: `evt-${randomUUID()}`, orderId: 'another' }
}

/** The id of one that was sent, and fails until no attempt is left. */
export const exhaustedPayment = memoizeAsync(async () => {
  const payload = await failingPayment()
  await postPayment(payload)
  return payload.eventId
})
