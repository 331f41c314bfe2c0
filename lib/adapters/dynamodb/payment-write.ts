import { NumberValue } from '@aws-sdk/lib-dynamodb'
import { type Payment, type PaymentStatus, type PaymentWrite, RANK } from '../../payments/payment.ts'
import type { Item } from './conditional.ts'
import { effectUpdate } from './effect-update.ts'
import type { EffectKind } from './effect-writes.ts'

const SAME_CURRENCY = '(attribute_not_exists(currency) OR currency = :currency)'
const SAME_ORDER = '(attribute_not_exists(orderId) OR orderId = :orderId)'

/** What each mode demands of the stored rank. */
const RANKED = { advance: '(attribute_not_exists(#rank) OR #rank < :rank)', fill: '#rank >= :rank' } as const

/** Changes of payments. */
export function paymentEffect(table: string): EffectKind {
  return {
    name: 'payment',
    write: ({ payment }, cause, full) => payment && effectUpdate(paymentChange(table, payment), cause, full),
    blocked: (item) => ({ kind: 'blocked', by: 'payment', stored: toPayment(item) }),
  }
}

/** The change that `judge` allows: refused exactly when it would say something else of the row. */
function paymentChange(table: string, { mode, adds, change }: PaymentWrite) {
  const { transactionId, status, orderId, currency, amount, customerId } = change
  const amountValue = amount && NumberValue.from(amount)
  return {
    table,
    key: { transactionId },
    mode,
    adds,
    values: { status, rank: RANK[status], orderId, currency, amount, amountValue, customerId },
    when: [RANKED[mode], SAME_CURRENCY, ...(orderId === undefined ? [] : [SAME_ORDER])],
  }
}

interface PaymentItem {
  readonly transactionId: string
  readonly status: PaymentStatus
  readonly currency: string
  readonly orderId?: string
  readonly amount?: string
  readonly customerId?: string
}

export function toPayment(item: Item): Payment {
  const { transactionId, status, currency, orderId, amount, customerId } = item as unknown as PaymentItem
  return { transactionId, status, currency, orderId, amount, customerId }
}
