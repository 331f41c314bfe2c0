import { Buffer } from 'node:buffer'
import { NumberValue } from '@aws-sdk/lib-dynamodb'
import type { Order, OrderStatus, OrderWrite } from '../../orders/order.ts'
import { type Payment, type PaymentStatus, type PaymentWrite, RANK } from '../../payments/payment.ts'
import { LAST_ID } from '../../runtime/ids.ts'
import type { MadeOrder, MadePayment } from '../../webhooks/operators/changed.ts'
import {
  byChange,
  type Changed,
  type ChangedFilter,
  type ChangedPosition,
  type ChangedRows,
  hasValues,
} from '../../webhooks/operators/changed.ts'
import { causesIn, type EffectKind, effectUpdate } from './effects.ts'
import { LIST_SHARDS } from './event-item.ts'
import { newestPage, rowsAt, rowsBy, type ShardedIndex } from './lists.ts'
import { type Documents, type Item, itemAt, jitter, type Pause } from './table.ts'

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
  return changedRows({ documents, table, key: 'transactionId', pause }, toPayment)
}

/** Orders with the events that made them. */
export function dynamoOrders(documents: Documents, table: string, pause: Pause = jitter): ChangedRows<MadeOrder> {
  return changedRows({ documents, table, key: 'orderId', pause }, toOrder)
}

interface KeyedTable {
  readonly documents: Documents
  readonly table: string
  readonly key: string
  readonly pause: Pause
}

interface IndexRow extends ChangedPosition {
  /** To search in. */
  readonly ids: string
}

/** The index `byTime` says which rows come next, the table says how they stand. */
function changedRows<R extends object>(
  { documents, table, key, pause }: KeyedTable,
  toRow: (item: Item) => R,
): ChangedRows<R & Changed> {
  const toMade = (item: Item) => ({ ...toRow(item), ...changedOf(item) })
  const byTime: ShardedIndex<ChangedPosition, IndexRow> = {
    keys: LIST_SHARDS,
    order: 'changeId',
    place: ({ changeId }) => changeId,
    read: (item) => ({
      changeId: BigInt(String(item['changeId'])),
      key: String(item[key]),
      ids: [item[key], item['orderId'], item['customerId']].join('\n').toLowerCase(),
    }),
    compare: byChange,
    before: (changeId) => ({ changeId, key: '' }),
  }

  return {
    async find(value) {
      if (Buffer.byteLength(value) > MAXIMUM_KEY_BYTES) return undefined
      const item = await itemAt(documents, table, { [key]: value })
      return item && toMade(item)
    },

    async page(filter, after, limit, q) {
      const part = q?.toLowerCase()
      const isFound = part === undefined ? undefined : ({ ids }: IndexRow) => ids.includes(part)
      const query = queryOf(table, filter, after?.changeId ?? LAST_ID)
      const { rows, next } = await newestPage(documents, query, byTime, after, limit, isFound)
      const keys = rows.map((at) => ({ [key]: at.key }))
      const items = rowsBy(key, await rowsAt(documents, table, keys, pause, {}))
      const found = rows.flatMap((at) => {
        const item = items.get(at.key)
        return item && hasValues(item, filter) ? [{ at, row: toMade(item) }] : []
      })
      return { found, next }
    },
  }
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
