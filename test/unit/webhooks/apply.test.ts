import { describe, expect, it } from 'vitest'
import { fail } from '../../../lib/errors.ts'
import type { Order, OrderChange } from '../../../lib/orders/order.ts'
import type { Payment, PaymentChange } from '../../../lib/payments/payment.ts'
import { applyEffects, type Conflict, type Effects, ProcessingError, reasonOf } from '../../../lib/webhooks/apply.ts'
import type { Plan } from '../../../lib/webhooks/source.ts'
import { recordingLog } from '../../support/fakes/log.ts'

const KEY = { source: 'payment', eventId: 'event-1' }
const CHANGE: PaymentChange = { transactionId: 't', status: 'COMPLETED', orderId: 'o', currency: 'EUR', amount: '10' }

const ORDER: OrderChange = { orderId: 'o', status: 'SHIPPED', timestamp: '2026-01-02T03:04:05.000000000' }

const paid = (changes: Partial<Payment>): Conflict => ({
  kind: 'blocked',
  by: 'payment',
  stored: { ...CHANGE, ...changes },
})
const ordered = (changes: Partial<Order>): Conflict => ({
  kind: 'blocked',
  by: 'order',
  stored: { ...ORDER, ...changes },
})

/** Answers each write with the next row that stands in the way; then lets it through. */
function blockedBy(...rows: readonly Conflict[]) {
  const writes: Effects[] = []
  const write = async (effects: Effects): Promise<{ readonly kind: 'written' } | Conflict> => {
    const inTheWay = rows[writes.length]
    writes.push(effects)
    return inTheWay ?? { kind: 'written' }
  }
  return { writes, write }
}

describe('settle', () => {
  it('writes a change first as a new one', async () => {
    const { writes, write } = blockedBy()
    expect(await applyEffects(KEY, { payment: CHANGE }, recordingLog(), write)).toEqual({ kind: 'written' })
    expect(writes).toEqual([{ payment: { mode: 'advance', change: CHANGE } }])
  })

  it('writes an outcome if there is no change', async () => {
    const { writes, write } = blockedBy()
    await applyEffects(KEY, { outcome: 'no action' }, recordingLog(), write)
    expect(writes).toEqual([{ outcome: 'no action', payment: undefined }])
  })

  it('adds missing values when a payment of equal or higher rank blocks the change', async () => {
    const { writes, write } = blockedBy(paid({ status: 'REFUNDED' }))
    await applyEffects(KEY, { payment: CHANGE }, recordingLog(), write)
    expect(writes.at(-1)).toEqual({ outcome: 'superseded', payment: { mode: 'fill', change: CHANGE } })
  })

  it('retries as new when the blocking payment has a lower rank after all', async () => {
    const { writes, write } = blockedBy(paid({ status: 'FAILED' }))
    await applyEffects(KEY, { payment: CHANGE }, recordingLog(), write)
    expect(writes.at(-1)).toEqual({ payment: { mode: 'advance', change: CHANGE } })
  })

  it('W30 throws a rule error when the payment belongs to another order or currency', async () => {
    const { write } = blockedBy(paid({ currency: 'USD' }))
    await expect(applyEffects(KEY, { payment: CHANGE }, recordingLog(), write)).rejects.toThrow(
      new ProcessingError('transaction belongs to another order or currency'),
    )
  })

  it.each([
    ['11', 1],
    ['10.00', 0],
    [undefined, 0],
  ])('logs a conflict when the stored amount is %s: %i', async (amount, count) => {
    const { write } = blockedBy(paid({ amount }))
    const log = recordingLog()
    await applyEffects(KEY, { payment: CHANGE }, log, write)
    expect(log.of('payment amount conflict')).toHaveLength(count)
  })

  it('adds missing values when an order with a newer timestamp blocks the change', async () => {
    const { writes, write } = blockedBy(ordered({ status: 'DELIVERED', timestamp: '2026-01-02T03:04:05.000000001' }))
    await applyEffects(KEY, { order: ORDER }, recordingLog(), write)
    expect(writes.at(-1)).toEqual({ outcome: 'superseded', order: { mode: 'fill', change: ORDER } })
  })

  it('retries as new when the blocking order is not newer after all', async () => {
    const { writes, write } = blockedBy(ordered({ status: 'DELIVERED' }))
    await applyEffects(KEY, { order: ORDER, outcome: 'a word' }, recordingLog(), write)
    expect(writes.at(-1)).toEqual({ outcome: 'a word', order: { mode: 'advance', change: ORDER } })
  })

  it.each<[Conflict, Plan]>([
    [paid({}), { order: ORDER }],
    [ordered({}), { payment: CHANGE }],
  ])('fails when the row of another effect blocks the change: $0.by', async (blocked, plan) => {
    const { write } = blockedBy(blocked)
    await expect(applyEffects(KEY, plan, recordingLog(), write)).rejects.toThrow('without an effect')
  })

  it('gives up when the row keeps changing', async () => {
    const { write, writes } = blockedBy(...Array.from({ length: 10 }, () => paid({ status: 'FAILED' })))
    await expect(applyEffects(KEY, { payment: CHANGE }, recordingLog(), write)).rejects.toThrow('did not come to rest')
    expect(writes).toHaveLength(5)
  })
})

describe('the reason that is stored and shown', () => {
  it('is the violated rule', () => {
    expect(reasonOf(new ProcessingError('a rule'))).toBe('a rule')
  })

  it('is cut at 256 characters', () => {
    expect(reasonOf(new ProcessingError('x'.repeat(257)))).toBe('x'.repeat(256))
  })

  it.each([new TypeError('x is undefined at table arn:aws'), 'text', undefined])(
    'is no detail of an internal error: %s',
    (error) => {
      expect(reasonOf(error)).toBe('unexpected error')
    },
  )

  it('does not exist for a refusal, which is thrown again', () => {
    expect(() => reasonOf(fail('PAYLOAD_TOO_LARGE'))).toThrow(expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }))
  })
})
