import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import { LIST_SHARDS } from './event-item.ts'
import type { Item } from './table.ts'
import { type Documents, request } from './table.ts'

/** How many requests one page of a list may take. */
const MAXIMUM_REQUESTS = 24

/**
 * Rows per request once the filter turns out to drop most of them; the first reads little more than one key's share.
 */
const MANY_ROWS = 1000

/** A sentinel below every number: the shard is exhausted. */
const END = -1n

/** An index whose rows are spread over {@link LIST_SHARDS}, each of them in the order of a number. */
export interface ShardedIndex<T> {
  /** The attribute that is the number. */
  readonly order: string
  readonly place: (row: T) => bigint
  readonly read: (item: Item) => T
  /** A condition that rows have to meet in addition to the query. */
  readonly isFound?: ((row: T) => boolean) | undefined
}

/** Rows of an index, not in order; none with a higher number than theirs is missing. */
interface Newest<T> {
  readonly rows: readonly T[]
  /** The number at which to read on; undefined when every row has been read. */
  readonly border: bigint | undefined
}

/** One key of the index, and how far it has been read. */
interface Shard<T> {
  readonly name: string
  readonly found: readonly T[]
  readonly start: QueryCommandInput['ExclusiveStartKey']
  /** Every row with a higher number was read. */
  readonly readTo: bigint
}

/**
 * The rows with the highest numbers. It reads the index's keys in parallel, until there are enough rows or it has made
 * the maximum number of requests.
 * @param query newest first, of the shard `:shard`
 * @throws ServiceError `UNAVAILABLE`
 */
export async function readNewest<T>(
  documents: Documents,
  query: QueryCommandInput,
  { order, place, read, isFound }: ShardedIndex<T>,
  isEnough: (ready: readonly T[]) => boolean,
): Promise<Newest<T>> {
  async function readOn(one: QueryCommandInput, { name, found, start }: Shard<T>): Promise<Shard<T>> {
    const values = { ...one.ExpressionAttributeValues, ':shard': name }
    const page = new QueryCommand({ ...one, ExpressionAttributeValues: values, ExclusiveStartKey: start })
    const { Items: items = [], LastEvaluatedKey: last } = await request(() => documents.send(page))
    const readTo = last ? BigInt(String(last[order])) : END
    return { name, found: [...found, ...items.map(read).filter(isFound ?? Boolean)], start: last, readTo }
  }

  /** Rows that are final: no unread shard can hold a newer one. */
  function readyOf(shards: readonly Shard<T>[]): readonly T[] {
    const { readTo } = furthestBehind(shards)
    return shards.flatMap(({ found }) => found.filter((row) => place(row) > readTo))
  }

  const isSieved = query.FilterExpression !== undefined || isFound !== undefined
  const laterLimit = isSieved ? MANY_ROWS : query.Limit
  let shards = await Promise.all(LIST_SHARDS.map((name) => readOn(query, untouched<T>(name))))
  for (let requests = shards.length; requests < MAXIMUM_REQUESTS; requests++) {
    const behind = furthestBehind(shards)
    if (behind.start === undefined || isEnough(readyOf(shards))) break
    const ahead = await readOn({ ...query, Limit: laterLimit }, behind)
    shards = shards.map((shard) => (shard === behind ? ahead : shard))
  }
  const { start, readTo } = furthestBehind(shards)
  return { rows: readyOf(shards), border: start && readTo }
}

function untouched<T>(name: string): Shard<T> {
  return { name, found: [], start: undefined, readTo: END }
}

function furthestBehind<T>(shards: readonly Shard<T>[]): Shard<T> {
  return shards.reduce((one, other) => (other.readTo > one.readTo ? other : one))
}
