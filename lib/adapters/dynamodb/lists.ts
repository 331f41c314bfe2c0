import { BatchGetCommand, type BatchGetCommandInput, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import { type Documents, drain, type Item, type Page, type Pause, pageOf, pagesAt, request } from './table.ts'

/**
 * All pages of some queries, each read when it is asked for; those of several queries are read side by side.
 * @throws ServiceError `UNAVAILABLE`
 */
export async function* pagesOf(
  documents: Documents,
  ...queries: readonly QueryCommandInput[]
): AsyncGenerator<readonly Item[], undefined> {
  let left = queries
  while (left.length > 0) {
    const pages = await pagesAt(documents, left)
    yield pages.flatMap(({ items }) => items)
    left = left.flatMap((query, index) => restOf(query, pages[index]))
  }
  return undefined
}

/** What a query has left after a page. */
export function restOf(query: QueryCommandInput, page: Page | undefined): readonly QueryCommandInput[] {
  return page?.last ? [{ ...query, ExclusiveStartKey: page.last }] : []
}

/** All rows of some queries. @throws ServiceError `UNAVAILABLE` */
export async function itemsOf(
  documents: Documents,
  ...queries: readonly QueryCommandInput[]
): Promise<readonly Item[]> {
  const found: Item[] = []
  for await (const items of pagesOf(documents, ...queries)) found.push(...items)
  return found
}

/** The same query under each of several keys, which it names `:shard`. */
export function underEach(keys: readonly string[], query: QueryCommandInput): readonly QueryCommandInput[] {
  return keys.map((key) => ({
    ...query,
    ExpressionAttributeValues: { ...query.ExpressionAttributeValues, ':shard': key },
  }))
}

/** How many requests one page of a list may take. */
const MAXIMUM_REQUESTS = 24

/**
 * Rows per request once the filter turns out to drop most of them; the first reads little more than one key's share.
 */
const MANY_ROWS = 1000

/** A sentinel below every number: the shard is exhausted. */
const END = -1n

/** An index whose rows are spread over several keys, each of them in the order of a number. */
export interface ShardedIndex<P, T extends P> {
  readonly keys: readonly string[]
  /** The attribute that is the number. */
  readonly order: string
  readonly place: (row: P) => bigint
  readonly read: (item: Item) => T
  /** The order of the list: by the number, the highest first, and equal ones in one order. */
  readonly compare: (one: P, other: P) => number
  /** The position before all rows with a number. */
  readonly before: (place: bigint) => P
}

/** One key of the index, and how far it has been read. */
interface Shard<T> {
  /** Reads on. */
  readonly query: QueryCommandInput
  readonly found: readonly T[]
  /** Every row with a higher number was read. */
  readonly readTo: bigint
}

/**
 * The next rows after a position, those with the highest numbers first. It reads the index's keys side by side, until
 * there are enough rows or it has made the maximum number of requests.
 * @param query newest first, of the shard `:shard`
 * @param isFound a condition that rows have to meet in addition to the query
 * @returns the rows, and the position after which the next page begins; undefined on the last page
 * @throws ServiceError `UNAVAILABLE`
 */
export async function newestPage<P, T extends P>(
  documents: Documents,
  query: QueryCommandInput,
  { keys, order, place, read, compare, before }: ShardedIndex<P, T>,
  after: P | undefined,
  limit: number,
  isFound?: (row: T) => boolean,
) {
  const isSieved = query.FilterExpression !== undefined || isFound !== undefined
  const laterLimit = isSieved ? { Limit: MANY_ROWS } : {}

  function readOn({ query: one, found }: Shard<T>, { items, last }: Page): Shard<T> {
    const next = items
      .map(read)
      .filter((row) => (after === undefined || compare(row, after) > 0) && (isFound?.(row) ?? true))
    return {
      query: { ...one, ...laterLimit, ExclusiveStartKey: last },
      found: [...found, ...next],
      readTo: last ? BigInt(String(last[order])) : END,
    }
  }

  const queries = underEach(keys, { ...query, Limit: Math.ceil(limit / 2) + 2 })
  const pages = await pagesAt(documents, queries)
  let shards = pages.map((page, index) => readOn({ query: queries[index] ?? query, found: [], readTo: END }, page))
  for (let requests = keys.length; requests < MAXIMUM_REQUESTS; requests++) {
    const behind = furthestBehind(shards)
    if (behind.readTo === END || readyOf(shards, place).length > limit) break
    const ahead = readOn(behind, await pageOf(documents, behind.query))
    shards = shards.map((shard) => (shard === behind ? ahead : shard))
  }
  const rows = readyOf(shards, place).sort(compare)
  const page = rows.slice(0, limit)
  const { readTo } = furthestBehind(shards)
  const border = readTo === END ? undefined : before(readTo)
  return { rows: page, next: rows.length > limit ? page.at(-1) : border }
}

/** Rows that are final: no unread shard can hold a newer one. */
function readyOf<P, T extends P>(shards: readonly Shard<T>[], place: (row: P) => bigint): T[] {
  const { readTo } = furthestBehind(shards)
  return shards.flatMap(({ found }) => found.filter((row) => place(row) > readTo))
}

function furthestBehind<T>(shards: readonly Shard<T>[]): Shard<T> {
  return shards.reduce((one, other) => (other.readTo > one.readTo ? other : one))
}

/** The most keys of one BatchGetItem (Amazon DynamoDB Developer Guide, "Quotas"). */
const MOST_KEYS = 100

type Keys = NonNullable<BatchGetCommandInput['RequestItems']>

/**
 * The rows that there are under some keys, in any order.
 * @param how each row is read consistently unless it says otherwise; a read that may be stale costs half
 * @throws ServiceError `UNAVAILABLE`
 */
export async function rowsAt(
  documents: Documents,
  table: string,
  keys: readonly object[],
  pause: Pause,
  how: Omit<Keys[string], 'Keys'> = { ConsistentRead: true },
): Promise<readonly Item[]> {
  const rows: Item[] = []
  for (let start = 0; start < keys.length; start += MOST_KEYS) {
    const wanted = { ...how, Keys: keys.slice(start, start + MOST_KEYS).map((key) => ({ ...key })) }
    await drain<Keys>({ [table]: wanted }, pause, async (rest) => {
      const { Responses: found, UnprocessedKeys: left } = await request(() =>
        documents.send(new BatchGetCommand({ RequestItems: rest })),
      )
      rows.push(...(found?.[table] ?? []))
      return left
    })
  }
  return rows
}

/** Rows by one attribute of their key. */
export function rowsBy(attribute: string, rows: readonly Item[]): ReadonlyMap<string, Item> {
  return new Map(rows.map((row) => [String(row[attribute]), row]))
}
