import { Buffer } from 'node:buffer'
import { BatchGetCommand, type BatchGetCommandInput, GetCommand } from '@aws-sdk/lib-dynamodb'
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
import { readNewest, type ShardedIndex } from './sharded-index.ts'
import { drain } from './stored-body.ts'

/** The most bytes of a key, and the most keys of one BatchGetItem (Amazon DynamoDB Developer Guide, "Quotas"). */
const MAXIMUM_KEY_BYTES = 2048
const MOST_KEYS = 100

/** Payments with the events that made them. */
export function dynamoPayments(documents: Documents, table: string, pause?: Pause): ChangedRows<MadePayment> {
  return changedRows(documents, { table, key: 'transactionId', toRow: toPayment }, pause)
}

/** Orders with the events that made them. */
export function dynamoOrders(documents: Documents, table: string, pause?: Pause): ChangedRows<MadeOrder> {
  return changedRows(documents, { table, key: 'orderId', toRow: toOrder }, pause)
}

interface Rows<R> {
  readonly table: string
  readonly key: string
  readonly toRow: (item: Item) => R
}

/** The index `byTime` says which rows come next, the table says how they stand. */
function changedRows<R extends object>(
  documents: Documents,
  { table, key, toRow }: Rows<R>,
  pause: Pause = jitter,
): ChangedRows<R & Changed> {
  const rowOf = (item: Item): R & Changed => ({ ...toRow(item), ...changedOf(item) })

  const byTime: ShardedIndex<ChangedPosition> = {
    order: 'changeId',
    place: ({ changeId }) => changeId,
    read: (item) => ({ changeId: BigInt(String(item['changeId'])), key: String(item[key]) }),
  }

  async function read(positions: readonly ChangedPosition[]): Promise<ReadonlyMap<string, R & Changed>> {
    const rows = new Map<string, R & Changed>()
    for (let start = 0; start < positions.length; start += MOST_KEYS) {
      const keys = positions.slice(start, start + MOST_KEYS).map((one) => ({ [key]: one.key }))
      await drain<Keys>({ [table]: { Keys: keys } }, pause, async (rest) => {
        const { Responses: found, UnprocessedKeys: left } = await request(() =>
          documents.send(new BatchGetCommand({ RequestItems: rest })),
        )
        for (const item of found?.[table] ?? []) rows.set(String(item[key]), rowOf(item))
        return left
      })
    }
    return rows
  }

  return {
    async find(value) {
      if (Buffer.byteLength(value) > MAXIMUM_KEY_BYTES) return undefined
      const get = new GetCommand({ TableName: table, Key: { [key]: value }, ConsistentRead: true })
      const { Item: item } = await request(() => documents.send(get))
      return item && rowOf(item)
    },

    async page(filter, after, limit): Promise<ChangedPage<R & Changed>> {
      const query = { ...queryOf(table, filter, after?.changeId ?? LAST_ID), Limit: Math.ceil(limit / 2) + 2 }
      const isNews = (one: ChangedPosition) => after === undefined || byChange(one, after) > 0
      const isEnough = (ready: readonly ChangedPosition[]) => ready.filter(isNews).length > limit
      const { rows, border } = await readNewest(documents, query, byTime, isEnough)
      const positions = rows.filter(isNews).sort(byChange)
      const page = positions.slice(0, limit)
      const stored = await read(page)
      const found = page.flatMap((at) => {
        const row = stored.get(at.key)
        return row && hasValues(row, filter) ? [{ at, row }] : []
      })
      const next = border === undefined ? undefined : { changeId: border, key: '' }
      return { found, next: positions.length > limit ? page.at(-1) : next }
    },
  }
}

type Keys = NonNullable<BatchGetCommandInput['RequestItems']>

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
