import * as z from 'zod/mini'
import { fail } from '../../errors.ts'
import type { Order } from '../../orders/order.ts'
import type { Payment } from '../../payments/payment.ts'
import { millisecondsOf } from '../../runtime/ids.ts'
import { listCursor, member } from '../../runtime/list-cursor.ts'
import { toLocalDateTime } from '../../runtime/time.ts'
import type { EventKey } from '../event.ts'

/** A row that webhooks change: a payment or an order. */
export interface Changed {
  readonly id: bigint
  /** The position of its last change in the order of all changes; it contains the time. */
  readonly changeId: bigint
  /** The last events that changed it, or came too late to, in the order in which they were processed; at most 20. */
  readonly events: readonly Cause[]
}

/** A place in the order of a list: descending by the last change, equal ones by key. */
export interface ChangedPosition {
  readonly changeId: bigint
  readonly key: string
}

export interface ChangedPage<R> {
  readonly found: readonly Found<R>[]
  /** The row after which the next page begins; undefined on the last page. */
  readonly next: ChangedPosition | undefined
}

/** A row, and where the list has it. */
interface Found<R> {
  readonly at: ChangedPosition
  readonly row: R
}

/** Payments or orders, the last changed first. A list may lag slightly behind the rows themselves. */
export interface ChangedRows<R> {
  /** @throws ServiceError `UNAVAILABLE` */
  find(key: string): Promise<R | undefined>
  /**
   * The next rows after a position. A page may be shorter than the limit, even empty, although more rows follow.
   * @param filter the values that attributes of the row have to have
   * @param q a part of any id of the row, in any case
   * @throws ServiceError `UNAVAILABLE`
   */
  page(filter: ChangedFilter, after: ChangedPosition | undefined, limit: number, q?: string): Promise<ChangedPage<R>>
}

/** Exact values by the name of the attribute; undefined ones let everything through. */
export type ChangedFilter = Readonly<Record<string, string | undefined>>

interface ChangedRequest {
  /** Of one row: there is at most one then. */
  readonly key: string | undefined
  readonly filter: ChangedFilter
  /** The row with this key comes first. */
  readonly q?: string | undefined
  readonly limit: number
  readonly cursor: string | undefined
}

const key = z.string().check(z.maxLength(2048))
export const changedCursor = listCursor('changed', { changeId: member.id, key })

/** The most characters of a page: what Lambda may answer is 6 MB, with each quotation mark escaped. */
const MAXIMUM_LENGTH = 2_000_000

/**
 * One page for operators. A row that changes while pages are read moves to the front.
 * @throws ServiceError `VALIDATION_FAILED` for a cursor of another filter, `UNAVAILABLE`
 */
export async function listChanged<R extends object, S>(
  find: ChangedRows<R>['find'],
  page: ChangedRows<R>['page'],
  { key, filter, q, limit, cursor }: ChangedRequest,
  show: (row: R) => S,
): Promise<{ readonly rows: readonly S[]; readonly nextCursor: string | null }> {
  const asked = { ...filter, key, q }
  const after = changedCursor.read(asked, cursor)
  if (key !== undefined) {
    const row = await find(key)
    return { rows: row && hasValues(row, filter) ? [show(row)] : [], nextCursor: null }
  }
  const [named, { found, next }] = await Promise.all([q && find(q), page(filter, after, limit, q)])
  const isFirst = named && hasValues(named, filter) && after === undefined
  const others = q === undefined ? found : found.filter(({ at }) => at.key !== q)
  const shown = others.map(({ row }) => show(row))
  const count = fitting(shown)
  const border = count < others.length ? others[count - 1]?.at : next
  const rows = [...(isFirst ? [show(named)] : []), ...shown.slice(0, count)]
  return { rows, nextCursor: border ? changedCursor.of(asked, border) : null }
}

/** How many of the first rows fit one answer; at least one. */
function fitting(rows: readonly unknown[]): number {
  let length = 0
  const tooMuch = rows.findIndex((row) => {
    length += JSON.stringify(row).length
    return length > MAXIMUM_LENGTH
  })
  return tooMuch === -1 ? rows.length : Math.max(1, tooMuch)
}

/** Whether a row matches a filter. */
export function hasValues(row: object, filter: ChangedFilter): boolean {
  const values = new Map<string, unknown>(Object.entries(row))
  return Object.entries(filter).every(([name, value]) => value === undefined || values.get(name) === value)
}

/** Compares two positions in the order of a list, for `Array.sort`. */
export function byChange(one: ChangedPosition, other: ChangedPosition): number {
  if (one.changeId !== other.changeId) return one.changeId > other.changeId ? -1 : 1
  return one.key < other.key ? -1 : Number(one.key > other.key)
}

/** When and by what a row was changed, for operators. */
function changesOf({ changeId, events }: Changed) {
  return { updatedAt: toLocalDateTime(new Date(millisecondsOf(changeId))), events: events.map(causeOf) }
}

/** A payment and the events that made it. */
export interface MadePayment extends Payment, Changed {}

interface PaymentRequest {
  readonly transactionId?: string | undefined
  readonly status?: string | undefined
  readonly orderId?: string | undefined
  readonly customerId?: string | undefined
  readonly q?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

/** @throws ServiceError `VALIDATION_FAILED` for a cursor of another filter, `UNAVAILABLE` */
export async function listPayments(payments: ChangedRows<MadePayment>, request: PaymentRequest) {
  const { transactionId: key, q, limit, cursor, ...filter } = request
  const { rows, nextCursor } = await listChanged(
    (one) => payments.find(one),
    (...given) => payments.page(...given),
    { key, filter, q, limit, cursor },
    shownPayment,
  )
  return { payments: rows, nextCursor }
}

/** @throws ServiceError `PAYMENT_NOT_FOUND`, `UNAVAILABLE` */
export async function findPayment(payments: Pick<ChangedRows<MadePayment>, 'find'>, transactionId: string) {
  const payment = await payments.find(transactionId)
  if (payment) return shownPayment(payment)
  throw fail('PAYMENT_NOT_FOUND')
}

function shownPayment(payment: MadePayment) {
  return {
    id: payment.id.toString(),
    transactionId: payment.transactionId,
    orderId: payment.orderId ?? null,
    customerId: payment.customerId ?? null,
    status: payment.status,
    amount: payment.amount ?? null,
    currency: payment.currency,
    ...changesOf(payment),
  }
}

/** An order and its events. */
export interface MadeOrder extends Order, Changed {}

interface OrderRequest {
  readonly orderId?: string | undefined
  readonly status?: string | undefined
  readonly q?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

/** @throws ServiceError `VALIDATION_FAILED` for a cursor of another filter, `UNAVAILABLE` */
export async function listOrders(orders: ChangedRows<MadeOrder>, request: OrderRequest) {
  const { orderId: key, q, limit, cursor, ...filter } = request
  const { rows, nextCursor } = await listChanged(
    (one) => orders.find(one),
    (...given) => orders.page(...given),
    { key, filter, q, limit, cursor },
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

/** An event as the rows remember it that it changed, or that it came too late for. */
export interface Cause extends EventKey {
  readonly eventType: string
  readonly outcome: 'applied' | 'superseded'
  /** When it was processed. */
  readonly at: Date
}

/** A cause for operators, with the path of the event's detail. */
function causeOf({ source, eventId, eventType, outcome, at }: Cause) {
  const href = `/api/webhooks/events/${encodeURIComponent(source)}/${encodeURIComponent(eventId)}`
  return { source, eventId, eventType, outcome, at: toLocalDateTime(at), href }
}
