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

const NEWER = { status: 'DELIVERED', timestamp: '2026-01-02T03:04:05.000000001' } as const
const ADVANCE: Effects = { payment: { mode: 'advance', change: CHANGE } }
const FILL: Effects = { outcome: 'superseded', payment: { mode: 'fill', change: CHANGE } }

describe('settle', () => {
  it.each<[string, Plan, readonly Conflict[], Effects]>([
    ['a change first as a new one', { payment: CHANGE }, [], ADVANCE],
    ['only missing values beside a payment of higher rank', { payment: CHANGE }, [paid({ status: 'REFUNDED' })], FILL],
    [
      'a change again if the payment has a lower rank after all',
      { payment: CHANGE },
      [paid({ status: 'FAILED' })],
      ADVANCE,
    ],
    [
      'only missing values beside a newer order',
      { order: ORDER },
      [ordered(NEWER)],
      { outcome: 'superseded', order: { mode: 'fill', change: ORDER } },
    ],
    [
      'a change again if the order is not newer after all',
      { order: ORDER, outcome: 'a word' },
      [ordered({ status: 'DELIVERED' })],
      { outcome: 'a word', order: { mode: 'advance', change: ORDER } },
    ],
  ])('writes %s', async (_, plan, blocking, last) => {
    const { writes, write } = blockedBy(...blocking)
    expect(await applyEffects(KEY, plan, recordingLog(), write)).toEqual({ kind: 'written' })
    expect([writes.length, writes.at(-1)]).toEqual([blocking.length + 1, last])
  })

  it('writes an outcome if there is no change', async () => {
    const { writes, write } = blockedBy()
    await applyEffects(KEY, { outcome: 'no action' }, recordingLog(), write)
    expect(writes).toEqual([{ outcome: 'no action', payment: undefined }])
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
