import type { Order, OrderStatus, OrderWrite } from '../../orders/order.ts'
import type { Item } from './conditional.ts'
import { effectUpdate } from './effect-update.ts'
import type { EffectKind } from './effect-writes.ts'

/** What each mode demands of the stored timestamp. */
const TIMED = {
  advance: '(attribute_not_exists(#timestamp) OR #timestamp <= :timestamp)',
  fill: '#timestamp > :timestamp',
} as const

/** Changes of orders. */
export function orderEffect(table: string): EffectKind {
  return {
    name: 'order',
    write: ({ order }, cause, full) => order && effectUpdate(orderChange(table, order), cause, full),
    blocked: (item) => ({ kind: 'blocked', by: 'order', stored: toOrder(item) }),
  }
}

/** The change that `judgeOrder` allows: refused exactly when it would say something else of the row. */
function orderChange(table: string, { mode, adds, change }: OrderWrite) {
  const { orderId, ...values } = change
  return { table, key: { orderId }, mode, adds, values, when: change.timestamp === undefined ? [] : [TIMED[mode]] }
}

interface OrderItem {
  readonly orderId: string
  readonly status: OrderStatus
  readonly trackingNumber?: string
  readonly carrier?: string
  readonly estimatedDelivery?: string
  readonly timestamp?: string
}

export function toOrder(item: Item): Order {
  const { orderId, status, trackingNumber, carrier, estimatedDelivery, timestamp } = item as unknown as OrderItem
  return { orderId, status, trackingNumber, carrier, estimatedDelivery, timestamp }
}
