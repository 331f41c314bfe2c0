import { NumberValue } from '@aws-sdk/lib-dynamodb'
import { type Payment, type PaymentStatus, type PaymentWrite, RANK } from '../../payments/payment.ts'
import type { Item } from './conditional.ts'
import type { EffectKind, Write } from './effect-writes.ts'

const SAME_CURRENCY = '(attribute_not_exists(currency) OR currency = :currency)'
const SAME_ORDER = '(attribute_not_exists(orderId) OR orderId = :orderId)'

/** What each mode demands of the stored rank, and how it sets an attribute. */
const MODES = {
  advance: { rank: '(attribute_not_exists(#rank) OR #rank < :rank)', set: (name: string) => `#${name} = :${name}` },
  fill: { rank: '#rank >= :rank', set: (name: string) => `#${name} = if_not_exists(#${name}, :${name})` },
} as const

/** Changes of payments. */
export function paymentEffect(table: string): EffectKind {
  return {
    name: 'payment',
    write: ({ payment }, id) => payment && paymentUpdate(table, payment, id),
    blocked: (item) => ({ kind: 'blocked', by: 'payment', stored: toPayment(item) }),
  }
}

/**
 * The update of the payments table that `judge` allows: refused exactly when it would say something else of the row.
 * @param id the payment's id, should this write make the row
 */
function paymentUpdate(table: string, { mode, change }: PaymentWrite, id: bigint): Write {
  const { transactionId, status, orderId, currency, amount, customerId } = change
  const values = definedOf({
    id,
    status,
    rank: RANK[status],
    orderId,
    currency,
    amount,
    amountValue: amount && NumberValue.from(amount),
    customerId,
  })
  const names = Object.keys(values)
  const { rank, set } = MODES[mode]
  const setOnce = MODES.fill.set
  return {
    Update: {
      TableName: table,
      Key: { transactionId },
      UpdateExpression: `SET ${names.map((name) => (name === 'id' ? setOnce(name) : set(name))).join(', ')}`,
      ConditionExpression: [rank, SAME_CURRENCY, ...(orderId === undefined ? [] : [SAME_ORDER])].join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, values[name]])),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  }
}

function definedOf(values: Item): Item {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

interface PaymentItem {
  readonly transactionId: string
  readonly status: PaymentStatus
  readonly currency: string
  readonly orderId?: string
  readonly amount?: string
  readonly customerId?: string
}

function toPayment(item: Item): Payment {
  const { transactionId, status, currency, orderId, amount, customerId } = item as unknown as PaymentItem
  return { transactionId, status, currency, orderId, amount, customerId }
}
