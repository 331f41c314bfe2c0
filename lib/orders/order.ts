/** The status values of an order (webhooks-33). */
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

/** The change of an order that an event describes; absent values stay as they are. */
export interface OrderChange {
  readonly orderId: string
  readonly status: OrderStatus
  readonly trackingNumber?: string | undefined
  readonly carrier?: string | undefined
  /** A day, `YYYY-MM-DD`. */
  readonly estimatedDelivery?: string | undefined
  /** The sender's time of the change, as `comparableDateTime` writes it. */
  readonly timestamp?: string | undefined
}

/** An order as stored (webhooks-70); its timestamp is the newest one applied. */
export type Order = OrderChange

/** `advance` sets what the change names; `fill` only adds what the stored order lacks, and never moves its status. */
export interface OrderWrite {
  readonly mode: 'advance' | 'fill'
  /** Whether a `fill` adds anything to the stored order. */
  readonly adds?: boolean | undefined
  readonly change: OrderChange
}

export type OrderJudgement = 'advances' | 'superseded'

/**
 * Compares a change with the stored order of the same orderId. The order of arrival decides, unless the sender's
 * timestamps say that the change is older than the one applied.
 */
export function judgeOrder(stored: Order, change: OrderChange): OrderJudgement {
  const isOlder =
    stored.timestamp !== undefined && change.timestamp !== undefined && change.timestamp < stored.timestamp
  return isOlder ? 'superseded' : 'advances'
}
