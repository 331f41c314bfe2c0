/** The decisions' values of OrderStatus, which spec 2.4 leaves open. */
export const ORDER_STATUSES = [
  'PENDING',
  'CONFIRMED',
  'SHIPPED',
  'OUT_FOR_DELIVERY',
  'DELIVERED',
  'CANCELLED',
  'RETURNED',
] as const

export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** What an event says of an order; what it leaves out stays as it is. */
export interface OrderChange {
  readonly orderId: string
  readonly status: OrderStatus
  readonly trackingNumber?: string | undefined
  readonly carrier?: string | undefined
  /** A day, `YYYY-MM-DD`. */
  readonly estimatedDelivery?: string | undefined
  /** When the sender says that it happened, as `comparableDateTime` writes it. */
  readonly timestamp?: string | undefined
}

/** An order as it is stored (spec 2.4): its timestamp is the newest that was applied. */
export type Order = OrderChange

/** `advance` sets what the change names; `fill` only adds what the stored order lacks, and never moves its status. */
export interface OrderWrite {
  readonly mode: 'advance' | 'fill'
  readonly change: OrderChange
}

export type OrderJudgement = 'advances' | 'superseded'

/**
 * How a change stands to the order that is stored under its orderId: the order of arrival decides, unless the sender
 * says that the change is older than what was applied.
 */
export function judgeOrder(stored: Order, change: OrderChange): OrderJudgement {
  const isOlder =
    stored.timestamp !== undefined && change.timestamp !== undefined && change.timestamp < stored.timestamp
  return isOlder ? 'superseded' : 'advances'
}
