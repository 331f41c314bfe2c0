import type { Order, OrderStatus, OrderWrite } from '../../orders/order.ts'
import type { Item } from './conditional.ts'
import type { EffectKind, Write } from './effect-writes.ts'

const setOnce = (name: string) => `#${name} = if_not_exists(#${name}, :${name})`

/** What each mode demands of the stored timestamp, and how it sets an attribute. */
const MODES = {
  advance: {
    when: '(attribute_not_exists(#timestamp) OR #timestamp <= :timestamp)',
    set: (name: string) => `#${name} = :${name}`,
  },
  fill: { when: '#timestamp > :timestamp', set: setOnce },
} as const

/** Changes of orders. */
export function orderEffect(table: string): EffectKind {
  return {
    name: 'order',
    write: ({ order }, id) => order && orderUpdate(table, order, id),
    blocked: (item) => ({ kind: 'blocked', by: 'order', stored: toOrder(item) }),
  }
}

/**
 * The update of the orders table that `judgeOrder` allows: refused exactly when it would say something else of the row.
 * @param id the order's id, should this write make the row
 */
function orderUpdate(table: string, { mode, change }: OrderWrite, id: bigint): Write {
  const { orderId, ...changed } = change
  const values: Item = { id, ...changed }
  const names = Object.keys(values).filter((name) => values[name] !== undefined)
  const { when, set } = MODES[mode]
  return {
    Update: {
      TableName: table,
      Key: { orderId },
      UpdateExpression: `SET ${names.map((name) => (name === 'id' ? setOnce(name) : set(name))).join(', ')}`,
      ...(change.timestamp !== undefined && { ConditionExpression: when }),
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, values[name]])),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  }
}

interface OrderItem {
  readonly orderId: string
  readonly status: OrderStatus
  readonly trackingNumber?: string
  readonly carrier?: string
  readonly estimatedDelivery?: string
  readonly timestamp?: string
}

function toOrder(item: Item): Order {
  const { orderId, status, trackingNumber, carrier, estimatedDelivery, timestamp } = item as unknown as OrderItem
  return { orderId, status, trackingNumber, carrier, estimatedDelivery, timestamp }
}
