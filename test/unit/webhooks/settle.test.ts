import { describe, expect, it } from 'vitest'
import { fail } from '../../../lib/errors.ts'
import type { Payment, PaymentChange } from '../../../lib/payments/payment.ts'
import { type Blocked, type Effects, ProcessingError, reasonOf, settle } from '../../../lib/webhooks/settle.ts'
import { recordingLog } from '../../support/fakes/log.ts'

const KEY = { source: 'payment', eventId: 'event-1' }
const CHANGE: PaymentChange = { transactionId: 't', status: 'COMPLETED', orderId: 'o', currency: 'EUR', amount: '10' }

/** Answers each write with the next stored payment that stands in the way; then lets it through. */
function blockedBy(...stored: readonly Payment[]) {
  const writes: Effects[] = []
  const write = async (effects: Effects): Promise<{ readonly kind: 'written' } | Blocked> => {
    const inTheWay = stored[writes.length]
    writes.push(effects)
    return inTheWay ? { kind: 'blocked', by: 'payment', stored: inTheWay } : { kind: 'written' }
  }
  return { writes, write }
}

describe('settle', () => {
  it('writes a change first as if it were news', async () => {
    const { writes, write } = blockedBy()
    expect(await settle(KEY, { payment: CHANGE }, recordingLog(), write)).toEqual({ kind: 'written' })
    expect(writes).toEqual([{ payment: { mode: 'advance', change: CHANGE } }])
  })

  it('writes an outcome where there is no change', async () => {
    const { writes, write } = blockedBy()
    await settle(KEY, { outcome: 'no action' }, recordingLog(), write)
    expect(writes).toEqual([{ outcome: 'no action', payment: undefined }])
  })

  it('fills in what is missing when a payment of equal or higher rank stands in the way', async () => {
    const { writes, write } = blockedBy({ ...CHANGE, status: 'REFUNDED' })
    await settle(KEY, { payment: CHANGE }, recordingLog(), write)
    expect(writes.at(-1)).toEqual({ outcome: 'superseded', payment: { mode: 'fill', change: CHANGE } })
  })

  it('tries again as news when the payment in the way has a lower rank after all', async () => {
    const { writes, write } = blockedBy({ ...CHANGE, status: 'FAILED' })
    await settle(KEY, { payment: CHANGE }, recordingLog(), write)
    expect(writes.at(-1)).toEqual({ payment: { mode: 'advance', change: CHANGE } })
  })

  it('throws a rule of ours when the payment belongs to another order or currency', async () => {
    const { write } = blockedBy({ ...CHANGE, currency: 'USD' })
    await expect(settle(KEY, { payment: CHANGE }, recordingLog(), write)).rejects.toThrow(
      new ProcessingError('transaction belongs to another order or currency'),
    )
  })

  it.each([
    ['11', 1],
    ['10.00', 0],
    [undefined, 0],
  ])('logs a conflict when the stored amount is %s: %i', async (amount, count) => {
    const { write } = blockedBy({ ...CHANGE, amount })
    const log = recordingLog()
    await settle(KEY, { payment: CHANGE }, log, write)
    expect(log.of('payment amount conflict')).toHaveLength(count)
  })

  it('gives up when the payment does not come to rest', async () => {
    const { write } = blockedBy(...Array.from({ length: 10 }, () => ({ ...CHANGE, status: 'FAILED' as const })))
    await expect(settle(KEY, { payment: CHANGE }, recordingLog(), write)).rejects.toThrow('did not come to rest')
  })
})

describe('the reason that is kept and shown', () => {
  it('is the rule that was broken', () => {
    expect(reasonOf(new ProcessingError('a rule'))).toBe('a rule')
  })

  it.each([new TypeError('x is undefined at table arn:aws'), 'text', undefined])(
    'is no detail for a fault of ours: %s',
    (error) => {
      expect(reasonOf(error)).toBe('unexpected error')
    },
  )

  it('does not exist for a refusal, which goes on', () => {
    expect(() => reasonOf(fail('PAYLOAD_TOO_LARGE'))).toThrow(expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }))
  })
})
