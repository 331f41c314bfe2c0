import { Buffer } from 'node:buffer'
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { LAST_ID } from '../../runtime/ids.ts'
import {
  byChange,
  type Changed,
  type ChangedFilter,
  type ChangedPage,
  type ChangedPosition,
  type ChangedRows,
  hasValues,
} from '../../webhooks/operators/changed.ts'
import type { MadeOrder } from '../../webhooks/operators/orders.ts'
import type { MadePayment } from '../../webhooks/operators/payments.ts'
import { type Documents, request } from './client.ts'
import { type Item, jitter, type Pause } from './conditional.ts'
import { causesIn } from './effect-update.ts'
import { toOrder } from './order-write.ts'
import { toPayment } from './payment-write.ts'
import { type KeyedTable, rowsAt } from './rows-at.ts'
import { readNewest, type ShardedIndex } from './sharded-index.ts'

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
    order: 'changeId',
    place: ({ changeId }) => changeId,
    read: (item) => ({ changeId: BigInt(String(item['changeId'])), key: String(item[key]) }),
  }
  const query = { ...queryOf(table, filter, after?.changeId ?? LAST_ID), Limit: Math.ceil(limit / 2) + 2 }
  const isNews = (one: ChangedPosition) => after === undefined || byChange(one, after) > 0
  const isEnough = (ready: readonly ChangedPosition[]) => ready.filter(isNews).length > limit
  const { rows, border } = await readNewest(documents, query, byTime, isEnough)
  const positions = rows.filter(isNews).sort(byChange)
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
