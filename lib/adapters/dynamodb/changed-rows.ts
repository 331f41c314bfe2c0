import { Buffer } from 'node:buffer'
import { GetCommand, NumberValue } from '@aws-sdk/lib-dynamodb'
import type { Order, OrderStatus, OrderWrite } from '../../orders/order.ts'
import { type Payment, type PaymentStatus, type PaymentWrite, RANK } from '../../payments/payment.ts'
import { LAST_ID } from '../../runtime/ids.ts'
import type { MadeOrder, MadePayment } from '../../webhooks/operators/changed.ts'
import {
  byChange,
  type Changed,
  type ChangedFilter,
  type ChangedPage,
  type ChangedPosition,
  type ChangedRows,
  hasValues,
} from '../../webhooks/operators/changed.ts'
import { causesIn, type EffectKind, effectUpdate } from './effects.ts'
import { LIST_SHARDS } from './event-item.ts'
import {
  type Documents,
  type Item,
  jitter,
  type KeyedTable,
  type Pause,
  readNewest,
  request,
  rowsAt,
  type ShardedIndex,
} from './table.ts'

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

function toPayment(item: Item): Payment {
  const { transactionId, status, currency, orderId, amount, customerId } = item as unknown as PaymentItem
  return { transactionId, status, currency, orderId, amount, customerId }
}

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

function toOrder(item: Item): Order {
  const { orderId, status, trackingNumber, carrier, estimatedDelivery, timestamp } = item as unknown as OrderItem
  return { orderId, status, trackingNumber, carrier, estimatedDelivery, timestamp }
}

/** The most bytes of a key (Amazon DynamoDB Developer Guide, "Quotas"). */
const MAXIMUM_KEY_BYTES = 2048

/** Payments with the events that made them. */
export function dynamoPayments(documents: Documents, table: string, pause: Pause = jitter): ChangedRows<MadePayment> {
  const place = { documents, table, key: 'transactionId', pause }
  const toMade = (item: Item): MadePayment => ({ ...toPayment(item), ...changedOf(item) })
  return {
    async find(transactionId) {
      const item = await itemAt(place, transactionId)
      return item && toMade(item)
    },
    page: (...asked) => pageIn(place, toMade, ...asked),
  }
}

/** Orders with the events that made them. */
export function dynamoOrders(documents: Documents, table: string, pause: Pause = jitter): ChangedRows<MadeOrder> {
  const place = { documents, table, key: 'orderId', pause }
  const toMade = (item: Item): MadeOrder => ({ ...toOrder(item), ...changedOf(item) })
  return {
    async find(orderId) {
      const item = await itemAt(place, orderId)
      return item && toMade(item)
    },
    page: (...asked) => pageIn(place, toMade, ...asked),
  }
}

async function itemAt({ documents, table, key }: KeyedTable, value: string): Promise<Item | undefined> {
  if (Buffer.byteLength(value) > MAXIMUM_KEY_BYTES) return undefined
  const get = new GetCommand({ TableName: table, Key: { [key]: value }, ConsistentRead: true })
  return (await request(() => documents.send(get))).Item
}

/** The index `byTime` says which rows come next, the table says how they stand. */
async function pageIn<R extends object>(
  place: KeyedTable,
  toRow: (item: Item) => R,
  filter: ChangedFilter,
  after: ChangedPosition | undefined,
  limit: number,
): Promise<ChangedPage<R>> {
  const { documents, table, key } = place
  const byTime: ShardedIndex<ChangedPosition> = {
    keys: LIST_SHARDS,
    order: 'changeId',
    place: ({ changeId }) => changeId,
    read: (item) => ({ changeId: BigInt(String(item['changeId'])), key: String(item[key]) }),
  }
  const query = { ...queryOf(table, filter, after?.changeId ?? LAST_ID), Limit: Math.ceil(limit / 2) + 2 }
  const isAfterCursor = (one: ChangedPosition) => after === undefined || byChange(one, after) > 0
  const isEnough = (ready: readonly ChangedPosition[]) => ready.filter(isAfterCursor).length > limit
  const { rows, border } = await readNewest(documents, query, byTime, isEnough)
  const positions = rows.filter(isAfterCursor).sort(byChange)
  const page = positions.slice(0, limit)
  const items = await rowsAt(
    place,
    page.map((at) => at.key),
  )
  const found = page.flatMap((at) => {
    const item = items.get(at.key)
    return item && hasValues(item, filter) ? [{ at, row: toRow(item) }] : []
  })
  const next = border === undefined ? undefined : { changeId: border, key: '' }
  return { found, next: positions.length > limit ? page.at(-1) : next }
}

/** A query for the rows of the index up to a place, newest first; the shard is still to be named. */
function queryOf(table: string, filter: ChangedFilter, last: bigint) {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  return {
    TableName: table,
    IndexName: 'byTime',
    ScanIndexForward: false,
    KeyConditionExpression: 'listShard = :shard AND changeId <= :last',
    ExpressionAttributeValues: {
      ':last': last,
      ...Object.fromEntries(given.map(([name, value]) => [`:${name}`, value])),
    },
    ...(given.length > 0 && {
      FilterExpression: given.map(([name]) => `#${name} = :${name}`).join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(given.map(([name]) => [`#${name}`, name])),
    }),
  }
}

function changedOf(item: Item): Changed {
  const { items } = causesIn(item)
  return {
    id: BigInt(String(item['id'])),
    changeId: BigInt(String(item['changeId'])),
    events: items.map(({ at, ...same }) => ({ ...same, at: new Date(at) })),
  }
}
