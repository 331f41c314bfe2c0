import { describe, expect, it } from 'vitest'
import { amountsConflict, type Judgement, judgePayment, type PaymentChange } from '../../../lib/payments/payment.ts'

const STORED: PaymentChange = {
  transactionId: 't',
  status: 'COMPLETED',
  orderId: 'o',
  currency: 'EUR',
  amount: '10.00',
}

describe('the rank FAILED < COMPLETED < REFUNDED', () => {
  it.each<[PaymentChange['status'], PaymentChange['status'], Judgement]>([
    ['FAILED', 'COMPLETED', 'advances'],
    ['COMPLETED', 'FAILED', 'superseded'],
    ['COMPLETED', 'COMPLETED', 'superseded'],
    ['COMPLETED', 'REFUNDED', 'advances'],
    ['REFUNDED', 'COMPLETED', 'superseded'],
  ])('after %s, %s is %s', (before, after, judgement) => {
    expect(judgePayment({ ...STORED, status: before }, { ...STORED, status: after })).toBe(judgement)
  })
})

describe('another order or currency', () => {
  it.each<[string, Partial<PaymentChange>]>([
    ['another order', { orderId: 'other' }],
    ['another currency', { currency: 'USD' }],
  ])('is a mismatch for any rank: %s', (_, changes) => {
    for (const status of ['FAILED', 'COMPLETED', 'REFUNDED'] as const) {
      expect(judgePayment(STORED, { ...STORED, ...changes, status })).toBe('mismatch')
    }
  })

  it('does not include a missing order, on either side', () => {
    const withoutOrder = { ...STORED, orderId: undefined }
    expect(judgePayment(STORED, { ...withoutOrder, status: 'REFUNDED' })).toBe('advances')
    expect(judgePayment(withoutOrder, { ...STORED, status: 'REFUNDED' })).toBe('advances')
  })
})

describe('another amount', () => {
  it.each([
    ['10.00', '10', false],
    ['10.00', '10.01', true],
    [undefined, '10.00', false],
    ['10.00', undefined, false],
  ])('%s then %s is a conflict: %s', (stored, given, answer) => {
    expect(amountsConflict({ ...STORED, amount: stored }, { ...STORED, amount: given })).toBe(answer)
  })
})
