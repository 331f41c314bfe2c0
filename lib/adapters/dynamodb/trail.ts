import { randomBytes } from 'node:crypto'
import {
  type DeleteCommandInput,
  type PutCommandInput,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb'
import { unavailable } from '../../errors.ts'
import { memoizeAsync } from '../../runtime/cache.ts'
import { actToStore, type Change, type Target, type TrailRow } from '../../trail/act.ts'
import type { TrailPages } from '../../trail/list.ts'
import type { TrailStore } from '../../trail/trail.ts'
import {
  type ConditionFailed,
  type Documents,
  type Item,
  itemAt,
  jitter,
  type Pause,
  pageOf,
  putIf,
  removeIf,
  request,
  SHOW_OLD,
  transact,
  ttlAt,
  updateIf,
  type Written,
} from './table.ts'

/** The longest text that a row takes from elsewhere, in UTF-16 units; what is longer is cut. */
const MAXIMUM_TEXT = 512

/** How long a row of its own is waited for, in milliseconds: a login whose row is missing is still answered in time. */
const PATIENCE = 2_000

/** No count has this name. */
const NAME_KEY_ROW = 'login#names'

const NAME_KEY_BYTES = 32

/** The only key of the index `byTime`. */
const LISTED = 'trail'

/** Sorts rows by time, and those of one millisecond by their ids. */
const orderOf = (at: Date, id = '') => `${String(at.getTime()).padStart(15, '0')}#${id}`

/** Targets with a name. A row of a refusal may know only the id, and is then found where all rows are. */
const NAMED: ReadonlySet<string> = new Set(['user', 'key', 'passkey'] satisfies Target['type'][])

/** Behind every row of a millisecond. */
const LAST = '\u{10ffff}'

/** The put of a row, which no other row has the id of. */
function trailPut(table: string, { endsAt, ...row }: TrailRow) {
  const { actor, target, at, id } = row
  const item = {
    ...row,
    at: at.toISOString(),
    listed: LISTED,
    order: orderOf(at, id),
    actorKey: keyOf(actor?.name ?? actor?.uid ?? actor?.keyId),
    targetKey: keyOf(target?.name ?? (NAMED.has(target?.type ?? '') ? undefined : target?.id)),
    ttl: ttlAt(endsAt),
  }
  return { TableName: table, Item: cut(item) as Item, ConditionExpression: 'attribute_not_exists(id)' }
}

/** The trail, for functions that may only add to it. */
export function dynamoTrailStore(documents: Documents, table: string): TrailStore {
  return {
    table,
    async put(row) {
      await putIf(documents, trailPut(table, row), AbortSignal.timeout(PATIENCE))
    },
  }
}

/**
 * The key of the hashes of names in refused logins: random, made for the first of them, and kept in the counters table, so
 * that no login has to read a key that signs tokens.
 * @returns reads it once for a process. Throws ServiceError `UNAVAILABLE`
 */
export function dynamoNameKey(documents: Documents, table: string): () => Promise<Uint8Array> {
  return memoizeAsync(async () => {
    const update = new UpdateCommand({
      TableName: table,
      Key: { counter: NAME_KEY_ROW },
      UpdateExpression: 'SET nameKey = if_not_exists(nameKey, :new)',
      ExpressionAttributeValues: { ':new': randomBytes(NAME_KEY_BYTES) },
      ReturnValues: 'ALL_NEW',
    })
    const { Attributes: row } = await request(() => documents.send(update))
    return row?.['nameKey']
  })
}

const INDEXES = { actor: ['byActor', 'actorKey'], target: ['byTarget', 'targetKey'] } as const

/** The trail, for admins who read it. */
export function dynamoTrailPages(documents: Documents, table: string): TrailPages {
  return async ({ by, from, to, after, limit }) => {
    const [IndexName, attribute] = by ? INDEXES[by.kind] : (['byTime', 'listed'] as const)
    const [first, end] = [orderOf(from), orderOf(to, LAST)]
    const place = after ? orderOf(after.at, after.id) : end
    const last = place < end ? place : end
    // DynamoDB refuses such a span; the place may be one of another query.
    if (last < first) return { rows: [], isLast: true }
    const { items, last: next } = await pageOf(documents, {
      TableName: table,
      IndexName,
      KeyConditionExpression: `${attribute} = :key AND #order BETWEEN :from AND :to`,
      ExpressionAttributeValues: {
        ':key': by ? keyOf(by.name) : LISTED,
        ':from': first,
        ':to': last,
      },
      ScanIndexForward: false,
      Limit: limit + 1,
    })
    const rows = items.map(rowIn).filter(({ id }) => id !== after?.id)
    return { rows, isLast: next === undefined }
  }
}

function rowIn({ listed, order, actorKey, targetKey, ttl, ...item }: Item): TrailRow {
  return {
    ...(item as unknown as TrailRow),
    at: new Date(String(item['at'])),
    endsAt: new Date(Number(ttl) * 1000),
  }
}

/** A name or an id as an index has it: the same in any case. */
function keyOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : cutText(text.toLowerCase()) || undefined
}

/** DynamoDB refuses half a character. */
const cutText = (text: string) => text.slice(0, MAXIMUM_TEXT).toWellFormed()

type Value = Item | Target | Change | string | number | boolean | readonly string[] | undefined

function cut(value: Value): Value {
  if (typeof value === 'string') return cutText(value)
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(cutText)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cut(one as Value)]))
}

type Writes = NonNullable<TransactWriteCommandInput['TransactItems']>

/** As {@link transact}, together with the row of the action under way: both, or none. */
export async function transactRecorded(
  documents: Documents,
  writes: Writes,
  pause: Pause,
): Promise<Written | ConditionFailed> {
  const act = actToStore()
  if (act === undefined) return transact(documents, writes, pause)
  const result = await transact(documents, [...writes, { Put: trailPut(act.table, act.row) }], pause)
  if (result.kind === 'written') act.isStored = true
  else if (result.index === writes.length) throw unavailable(new Error('the action has a row already'))
  return result
}

/** As {@link putIf}, together with the row of the action under way. */
export async function putRecorded(documents: Documents, put: PutCommandInput, pause: Pause = jitter) {
  if (actToStore() === undefined) return putIf(documents, put)
  return transactRecorded(documents, [{ Put: { ...put, ...SHOW_OLD } }], pause)
}

/** As {@link updateIf}, together with the row of the action under way. The new item is then read: a transaction shows none. */
export async function updateRecorded(documents: Documents, update: UpdateCommandInput, pause: Pause = jitter) {
  if (actToStore() === undefined) return updateIf(documents, update)
  const { ReturnValues, UpdateExpression = '', ...rest } = update
  const result = await transactRecorded(documents, [{ Update: { ...SHOW_OLD, ...rest, UpdateExpression } }], pause)
  if (result.kind === 'refused' || ReturnValues === 'NONE') return result
  return { ...result, item: (await itemAt(documents, String(update.TableName), update.Key ?? {})) ?? {} }
}

/** As {@link removeIf}, together with the row of the action under way: whether the row was removed. */
export async function removeRecorded(documents: Documents, removal: DeleteCommandInput, pause: Pause = jitter) {
  if (actToStore() === undefined) return (await removeIf(documents, removal)) !== undefined
  return (await transactRecorded(documents, [{ Delete: removal }], pause)).kind === 'written'
}
