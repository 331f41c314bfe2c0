import { fail } from '../../errors.ts'
import type { Order } from '../../orders/order.ts'
import { type Changed, type ChangedRows, changesOf, listChanged } from './changed.ts'

/** An order and its events. */
export interface MadeOrder extends Order, Changed {}

interface OrderRequest {
  readonly orderId?: string | undefined
  readonly status?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

/** @throws ServiceError `VALIDATION_FAILED` for a cursor of another filter, `UNAVAILABLE` */
export async function listOrders(orders: ChangedRows<MadeOrder>, request: OrderRequest) {
  const { orderId: key, limit, cursor, ...filter } = request
  const { rows, nextCursor } = await listChanged(
    (one) => orders.find(one),
    (...given) => orders.page(...given),
    { key, filter, limit, cursor },
    shownOrder,
  )
  return { orders: rows, nextCursor }
}

/** @throws ServiceError `ORDER_NOT_FOUND`, `UNAVAILABLE` */
export async function findOrder(orders: Pick<ChangedRows<MadeOrder>, 'find'>, orderId: string) {
  const order = await orders.find(orderId)
  if (order) return shownOrder(order)
  throw fail('ORDER_NOT_FOUND')
}

function shownOrder(order: MadeOrder) {
  return {
    id: order.id.toString(),
    orderId: order.orderId,
    status: order.status,
    trackingNumber: order.trackingNumber ?? null,
    carrier: order.carrier ?? null,
    estimatedDelivery: order.estimatedDelivery ?? null,
    ...changesOf(order),
  }
}
