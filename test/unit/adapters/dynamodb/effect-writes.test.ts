import { describe, expect, it } from 'vitest'
import { orderEffect, paymentEffect } from '../../../../lib/adapters/dynamodb/changed-rows.ts'
import { blockedBy, effectWrites } from '../../../../lib/adapters/dynamodb/effects.ts'
import type { OrderWrite } from '../../../../lib/orders/order.ts'
import type { PaymentWrite } from '../../../../lib/payments/payment.ts'
import type { Effects } from '../../../../lib/webhooks/apply.ts'
import { START } from '../../../support/fakes/clock.ts'

const KINDS = [paymentEffect('the-payments'), orderEffect('the-orders')]
const payment: PaymentWrite = {
  mode: 'advance',
  change: { transactionId: 't', status: 'COMPLETED', orderId: 'o', currency: 'EUR' },
}
const order: OrderWrite = { mode: 'advance', change: { orderId: 'o', status: 'SHIPPED' } }
const CAUSE = { id: 7n, source: 'payment', eventId: 'evt-1', eventType: 'PAYMENT', at: START }
/** The effects behind one other write. */
const writesOf = (effects: Effects) => ({ before: [{}], kinds: KINDS, effects, cause: CAUSE, after: [] })
const ROW = { transactionId: 't', orderId: 'o', status: 'SHIPPED', currency: 'EUR', id: 1n }

describe('the writes of an event', () => {
  it.each([
    ['no write for a word', { outcome: 'no action' }, []],
    ['both', { order, payment }, ['the-payments', 'the-orders']],
  ])('are %s', (_, effects, tables) => {
    expect(effectWrites(KINDS, effects, CAUSE).map(({ Update: update }) => update?.TableName)).toEqual(tables)
  })

  it('are never omitted: without the table of one of them there is an error', () => {
    const [payments] = KINDS
    expect(() => effectWrites(payments ? [payments] : [], { payment, order }, CAUSE)).toThrow(
      'no table is given for the effect order',
    )
  })
})

describe('the row that refused a write', () => {
  it.each([
    ['an order', { order }, 0, 'order'],
    ['the first of both', { order, payment }, 0, 'payment'],
    ['the second of both', { order, payment }, 1, 'order'],
  ] as const)('is %s', (_, effects, index, by) => {
    expect(blockedBy(writesOf(effects), index + 1, ROW)).toMatchObject({
      kind: 'blocked',
      by,
      stored: { orderId: 'o' },
    })
  })

  it.each([
    ['there are no effects', {}, 0],
    ['no effect exists', { order }, 1],
    ['the index belongs to the event', { order }, -1],
  ])('is an error when %s', (_, effects, index) => {
    expect(() => blockedBy(writesOf(effects), index + 1, ROW)).toThrow('no effect was written there')
  })
})
