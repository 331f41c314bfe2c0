import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  DeleteCommand,
  type DeleteCommandInput,
  type DynamoDBDocumentClient,
  NumberValue,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { unavailable } from '../../errors.ts'
import { createRetryBudget } from '../../runtime/retry-budget.ts'

/** The part of the document client that the stores use. */
export type Documents = Pick<DynamoDBDocumentClient, 'send'>

/** Retry budget shared by all DynamoDB calls of this process. */
export const budget = createRetryBudget()

/** Returns numbers as numbers if they fit, otherwise as strings of digits. */
export const unmarshallOptions = {
  wrapNumbers: (text: string) => (Number.isSafeInteger(Number(text)) ? Number(text) : NumberValue.from(text)),
}

/** Throttling and transaction conflicts: a retry may succeed. Any other error is a bug. */
const THROTTLES = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionConflictException',
  'TransactionInProgressException',
])

/**
 * Runs one request of a store.
 * @param expected turns an error that belongs to the conversation into an answer; undefined for every other error
 * @throws ServiceError `UNAVAILABLE` when the store is down, too slow or throttled; a caller's fault as it is
 */
export async function request<T, E = never>(
  run: () => Promise<T>,
  expected?: (error: unknown) => E | undefined,
): Promise<T | E> {
  try {
    return await run()
  } catch (error) {
    const answer = expected?.(error)
    if (answer !== undefined) return answer
    throw isFaultOfOurs(error) ? error : unavailable(error)
  }
}

function isFaultOfOurs(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true
  return error instanceof DynamoDBServiceException && error.$fault === 'client' && !THROTTLES.has(error.name)
}

export type Item = Readonly<Record<string, unknown>>

/** What the domain has, as a row holds it: times in milliseconds since the epoch, ids as the document client reads them. */
export type Stored<T> = T extends Date
  ? number
  : T extends bigint
    ? bigint | number | { toString(): string }
    : T extends object
      ? { readonly [K in keyof T]: Stored<T[K]> }
      : T

/** A time of a row, in milliseconds since the epoch. */
export function timeAt(milliseconds: number): Date
export function timeAt(milliseconds: number | undefined): Date | undefined
export function timeAt(milliseconds: number | undefined): Date | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds)
}

/** What is set of a row, as the parts of an expression; undefined values are left alone. */
export function assignmentsOf(values: Item) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return {
    text: given.map(([name]) => `#${name} = :to_${name}`).join(', '),
    names: Object.fromEntries(given.map(([name]) => [`#${name}`, name])),
    values: Object.fromEntries(given.map(([name, value]) => [`:to_${name}`, value])),
  }
}

/** The condition of the write at `index` did not hold; `item` is the stored row (undefined: there is none). */
export interface ConditionFailed {
  readonly kind: 'refused'
  readonly index: number
  readonly item: Item | undefined
}

export type Written = { readonly kind: 'written'; readonly item: Item }

type Writes = NonNullable<TransactWriteCommandInput['TransactItems']>

/** Waits before another try; `round` counts from 0. */
export type Pause = (round: number) => Promise<void>

/** How often a transaction that met others, or the rest of a batch, is sent. */
const ROUNDS = 6
const FIRST_PAUSE_MS = 20

/** Full jitter (AWS Builders' Library, "Timeouts, retries and backoff with jitter"). */
export const jitter: Pause = (round) =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * FIRST_PAUSE_MS * 2 ** round))

export const SHOW_OLD = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const

/** For a row of which the writer's role may read only what it writes. */
export const SHOW_NOTHING = { ReturnValues: 'NONE', ReturnValuesOnConditionCheckFailure: 'NONE' } as const

/** A put under a condition, in one request. */
export async function putIf(
  documents: Documents,
  put: PutCommandInput,
  abortSignal?: AbortSignal,
): Promise<Written | ConditionFailed> {
  return request(async () => {
    await documents.send(new PutCommand({ ...put, ...SHOW_OLD }), abortSignal && { abortSignal })
    return { kind: 'written', item: {} }
  }, refusalOf)
}

/**
 * An update under a condition, in one request; a written item is the new one.
 * @param abortSignal ends the request, which then counts as too slow
 */
export async function updateIf(
  documents: Documents,
  update: UpdateCommandInput,
  abortSignal?: AbortSignal,
): Promise<Written | ConditionFailed> {
  return request(async () => {
    const { Attributes: item = {} } = await documents.send(
      new UpdateCommand({ ReturnValues: 'ALL_NEW', ...SHOW_OLD, ...update }),
      abortSignal && { abortSignal },
    )
    return { kind: 'written', item }
  }, refusalOf)
}

/** A delete under a condition: the row as it was, or undefined when the condition did not hold. */
export async function removeIf(documents: Documents, removal: DeleteCommandInput): Promise<Item | undefined> {
  const removed = await request(async () => {
    const { Attributes: item = {} } = await documents.send(new DeleteCommand({ ...removal, ReturnValues: 'ALL_OLD' }))
    return { kind: 'written', item } satisfies Written
  }, refusalOf)
  return removed.kind === 'written' ? removed.item : undefined
}

function refusalOf(error: unknown): ConditionFailed | undefined {
  if (!(error instanceof ConditionalCheckFailedException)) return undefined
  return { kind: 'refused', index: 0, item: toItem(error.Item) }
}

/**
 * Several writes, all or none. The first write that was refused decides, whatever the later ones say. Writes that met
 * another transaction are retried, because that says nothing about their conditions; throttled ones are retried as long
 * as there is a budget for it.
 * @throws ServiceError `UNAVAILABLE` when other transactions, or throttles, stop every retry
 */
export async function transact(documents: Documents, writes: Writes, pause: Pause): Promise<Written | ConditionFailed> {
  for (let round = 0; round < ROUNDS; round++) {
    if (round > 0) await pause(round - 1)
    const result = await request(async () => {
      await documents.send(new TransactWriteCommand({ TransactItems: writes }))
      return { kind: 'written', item: {} } as const
    }, cancellationOf)
    if (result !== 'conflict' && result !== 'throttled') return result
    if (result === 'throttled' && !budget.spend()) throw unavailable(new Error('the transaction was throttled'))
  }
  throw unavailable(new Error('the transaction met others in every round'))
}

/** Codes of CancellationReasons after which a retry may succeed (DynamoDB API reference, TransactWriteItems). */
const PASSING = {
  TransactionConflict: 'conflict',
  ThrottlingError: 'throttled',
  ProvisionedThroughputExceeded: 'throttled',
} as const

type Passing = (typeof PASSING)[keyof typeof PASSING]

function cancellationOf(error: unknown): ConditionFailed | Passing | undefined {
  if (!(error instanceof TransactionCanceledException)) return undefined
  const reasons = error.CancellationReasons ?? []
  const index = reasons.findIndex(({ Code: code }) => code !== undefined && code !== 'None')
  const { Code: code = '', Item: item } = reasons[index] ?? {}
  if (code === 'ConditionalCheckFailed') return { kind: 'refused', index, item: toItem(item) }
  return isPassing(code) ? PASSING[code] : undefined
}

function isPassing(code: string): code is keyof typeof PASSING {
  return Object.hasOwn(PASSING, code)
}

/** The document client leaves the items of errors in their wire form. */
function toItem(item: ConditionalCheckFailedException['Item']): Item | undefined {
  return item && unmarshall(item, unmarshallOptions)
}

/** The condition of a write on a row that is not past its end; `:alive` is {@link ttlAt} of now. */
export const IS_ALIVE = 'expireAt > :alive'

/** A time in the form of DynamoDB's time to live, in seconds. The row goes some time later, or never on a local run. */
export function ttlAt(time: Date): number {
  return Math.ceil(time.getTime() / 1000)
}

/** The condition of a put in a place that is free: no row has it, or one that is past its end by now. `key` is of the table's key. */
export function whereFree(key: string, now: Date) {
  return {
    ConditionExpression: `attribute_not_exists(${key}) OR expireAt <= :now`,
    ExpressionAttributeValues: { ':now': Math.floor(now.getTime() / 1000) },
  } as const
}

/** One page of a query or of a scan. */
export interface Page {
  readonly items: readonly Item[]
  /** Where to read on; undefined after the last page. */
  readonly last: Item | undefined
  /** How many rows were looked at, with those that the filter dropped. */
  readonly looked: number
}

/** @throws ServiceError `UNAVAILABLE` */
export async function pageOf(documents: Documents, query: QueryCommandInput): Promise<Page> {
  const { Items, LastEvaluatedKey, ScannedCount } = await request(() => documents.send(new QueryCommand(query)))
  return { items: Items ?? [], last: LastEvaluatedKey, looked: ScannedCount ?? 0 }
}

/** All pages of a query, each read when it is asked for. @throws ServiceError `UNAVAILABLE` */
export async function* pagesOf(
  documents: Documents,
  query: QueryCommandInput,
): AsyncGenerator<readonly Item[], undefined> {
  let start: Item | undefined
  do {
    const { items, last } = await pageOf(documents, { ...query, ExclusiveStartKey: start })
    yield items
    start = last
  } while (start)
  return undefined
}

/** All rows of a query. @throws ServiceError `UNAVAILABLE` */
export async function itemsOf(documents: Documents, query: QueryCommandInput): Promise<readonly Item[]> {
  const found: Item[] = []
  for await (const items of pagesOf(documents, query)) found.push(...items)
  return found
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
export interface ShardedIndex<T> {
  readonly keys: readonly string[]
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
  { keys, order, place, read, isFound }: ShardedIndex<T>,
  isEnough: (ready: readonly T[]) => boolean,
): Promise<Newest<T>> {
  async function readOn(one: QueryCommandInput, { name, found, start }: Shard<T>): Promise<Shard<T>> {
    const values = { ...one.ExpressionAttributeValues, ':shard': name }
    const { items, last } = await pageOf(documents, {
      ...one,
      ExpressionAttributeValues: values,
      ExclusiveStartKey: start,
    })
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
  let shards = await Promise.all(keys.map((name) => readOn(query, untouched<T>(name))))
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

export interface KeyedTable {
  readonly documents: Documents
  readonly table: string
  /** The attribute of the table's key in which the rows differ. */
  readonly key: string
  readonly pause: Pause
}

/** The most keys of one BatchGetItem (Amazon DynamoDB Developer Guide, "Quotas"). */
const MOST_KEYS = 100

/**
 * The rows that there are under some keys, by the value of their key.
 * @param isConsistent whether each row is read consistently; otherwise the read costs half and may be stale
 * @param same the other attribute of each key
 * @throws ServiceError `UNAVAILABLE`
 */
export async function rowsAt(
  { documents, table, key, pause }: KeyedTable,
  values: readonly string[],
  isConsistent = false,
  same: Item = {},
): Promise<ReadonlyMap<string, Item>> {
  const items = new Map<string, Item>()
  for (let start = 0; start < values.length; start += MOST_KEYS) {
    const keys = values.slice(start, start + MOST_KEYS).map((value) => ({ [key]: value, ...same }))
    await drain<Keys>({ [table]: { Keys: keys, ConsistentRead: isConsistent } }, pause, async (rest) => {
      const { Responses: found, UnprocessedKeys: left } = await request(() =>
        documents.send(new BatchGetCommand({ RequestItems: rest })),
      )
      for (const item of found?.[table] ?? []) items.set(String(item[key]), item)
      return left
    })
  }
  return items
}

type Keys = NonNullable<BatchGetCommandInput['RequestItems']>

/** Sends a batch until all of it is stored: DynamoDB returns the requests that a throttled table did not accept. */
export async function drain<T extends object>(
  batch: T,
  pause: Pause,
  send: (rest: T) => Promise<T | undefined>,
): Promise<void> {
  let rest: T | undefined = batch
  for (let round = 0; round < ROUNDS; round++) {
    if (round > 0) await pause(round - 1)
    rest = await send(rest)
    if (rest === undefined || Object.keys(rest).length === 0) return
  }
  throw unavailable(new Error('a batch was not taken in every round'))
}
