import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  DynamoDBServiceException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb'
import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  DeleteCommand,
  type DeleteCommandInput,
  DynamoDBDocumentClient,
  GetCommand,
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
import { type Clock, systemClock } from '../../runtime/time.ts'
import { bytesIn, createRetryBudget, retriesWithin, withoutLog } from '../aws/sdk.ts'

/** The part of the document client that the stores use. */
export type Documents = Pick<DynamoDBDocumentClient, 'send'>

/** Retry budget shared by all DynamoDB calls of this process. */
const budget = createRetryBudget()

/** Returns numbers as numbers if they fit, otherwise as strings of digits. */
export const unmarshallOptions = {
  wrapNumbers: (text: string) => (Number.isSafeInteger(Number(text)) ? Number(text) : NumberValue.from(text)),
}

/**
 * A new client; endpoint and credentials come from the environment as AWS defines it.
 * @param timeout of one request, in milliseconds
 * @param clock says which rows are past their end
 */
export function documentClient(timeout = 3000, clock: Clock = systemClock): Documents {
  const client = withoutLog(
    new DynamoDBClient({
      retryStrategy: retriesWithin(budget, 3),
      streamCollector: bytesIn,
      requestHandler: { connectionTimeout: timeout, requestTimeout: timeout, throwOnRequestTimeout: true },
    }),
  )
  readAndWrite(client, clock)
  return DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
    // A copy: the document client writes into the object that it is given.
    unmarshallOptions: { ...unmarshallOptions },
  })
}

/** Rows of an error are as they travel, those of an answer are read. */
type Row = Readonly<Record<string, unknown>>

/** Where an answer, or an error, of DynamoDB has rows. */
interface WithRows {
  readonly Item?: Row | undefined
  readonly Attributes?: Row | undefined
  readonly Items?: readonly Row[] | undefined
  readonly Responses?: Readonly<Record<string, readonly Row[]>> | undefined
  readonly CancellationReasons?: readonly { readonly Item?: Row | undefined }[] | undefined
}

/**
 * Names the attributes of each statement ({@link named}). Keeps a client from reading a row of another version, which
 * says so in its attribute `v`. A row without it is of version 1, the only one so far, and costs no byte for that
 * (decision 46). Hides rows whose time in `expireAt` is past: DynamoDB deletes them up to days later, and no emulator does.
 */
function readAndWrite(client: DynamoDBClient, clock: Clock): void {
  client.middlewareStack.add(
    (next) => async (call) => {
      /** Most answers have no row. */
      const counting = (answer: WithRows) => {
        const rows = rowsIn(answer)
        refuseOthers(rows, call.input)
        return rows.length > 0 ? livingIn(answer, clock.now()) : {}
      }
      try {
        const result = await next({ ...call, input: named(call.input as Statement) as typeof call.input })
        return { ...result, output: { ...result.output, ...counting(result.output as WithRows) } }
      } catch (error) {
        throw Object.assign(error as Error, counting(error as WithRows))
      }
    },
    { step: 'initialize', name: 'itemVersion' },
  )
}

const EXPRESSIONS = ['Update', 'Condition', 'KeyCondition', 'Filter', 'Projection'] as const

type Expressions = { readonly [K in (typeof EXPRESSIONS)[number] as `${K}Expression`]?: string | undefined }

interface Statement extends Expressions {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined
  readonly TransactItems?: readonly Readonly<Record<string, Statement>>[] | undefined
}

/** A statement that may write each attribute as `#name`, as it has to where DynamoDB keeps the name for itself. */
function named<S extends Statement>(statement: S): S {
  const { TransactItems, ExpressionAttributeNames } = statement
  if (TransactItems) return { ...statement, TransactItems: TransactItems.map((write) => mapped(write, named)) }
  const names = EXPRESSIONS.flatMap((kind) => statement[`${kind}Expression`]?.match(/#\w+/g) ?? [])
  const meant = Object.fromEntries(names.map((name) => [name, name.slice(1)]))
  return names.length === 0
    ? statement
    : { ...statement, ExpressionAttributeNames: { ...meant, ...ExpressionAttributeNames } }
}

function rowsIn({ Item, Attributes, Items = [], Responses = {}, CancellationReasons = [] }: WithRows): readonly Row[] {
  const all = [Item, Attributes, ...Items, ...Object.values(Responses).flat()]
  return [...all, ...CancellationReasons.map((one) => one.Item)].filter((row) => row !== undefined)
}

/** The rows of an answer, or of an error, that are not past their end. */
function livingIn({ Item, Items, Responses, CancellationReasons }: WithRows, now: Date): WithRows {
  const lives = (row: Row) => !(numberIn(row['expireAt']) * 1000 <= now.getTime())
  return {
    ...(Item && !lives(Item) && { Item: undefined }),
    ...(Items && { Items: Items.filter(lives) }),
    ...(Responses && { Responses: mapped(Responses, (rows) => rows.filter(lives)) }),
    ...(CancellationReasons && {
      CancellationReasons: CancellationReasons.map((one) =>
        one.Item && !lives(one.Item) ? { ...one, Item: undefined } : one,
      ),
    }),
  }
}

/** A number as it is read, or as it travels; NaN for none. */
function numberIn(value: unknown): number {
  return Number((value as { readonly N: string } | undefined)?.N ?? value)
}

function mapped<A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Readonly<Record<string, B>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}

/** @throws RangeError that names the version and the table: a fault of ours */
function refuseOthers(rows: readonly Row[], input: object): void {
  const version = rows.find((row) => row['v'])?.['v'] as number | { readonly N: string } | undefined
  if (version === undefined) return
  const [, table = Object.keys((input as { readonly RequestItems?: object }).RequestItems ?? {})] =
    /"TableName":"([^"]+)"/.exec(JSON.stringify(input)) ?? []
  const text = typeof version === 'number' ? version : version.N
  throw new RangeError(`a row of ${table} is of version ${text}, and this release reads version 1`)
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

/** A value of the domain as a row holds it. */
export function storedOf<T>(value: T): Stored<T>
export function storedOf(value: unknown): unknown {
  if (value instanceof Date) return value.getTime()
  if (Array.isArray(value)) return value.map((one) => storedOf(one))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, storedOf(one)]))
}

/** Times of a row, as the domain has them. */
export function timesIn<T extends object, K extends keyof T>(row: T, ...names: readonly K[]): Times<T, K> {
  return Object.fromEntries(names.map((name) => [name, timeAt(row[name] as number | undefined)])) as Times<T, K>
}

type Times<T, K extends keyof T> = {
  readonly [N in Exclude<K, never>]: undefined extends T[N] ? Date | undefined : Date
}

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

/** How often a write that met others, or the rest of a batch, is sent. */
const ROUNDS = 6
const FIRST_PAUSE_MS = 20

/** Full jitter (AWS Builders' Library, "Timeouts, retries and backoff with jitter"). */
export const jitter: Pause = (round) =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * FIRST_PAUSE_MS * 2 ** round))

/**
 * Repeats a step, after a pause each time, until it has a result.
 * @throws ServiceError `UNAVAILABLE` for this reason when it has none in any round
 */
export async function inRounds<T>(pause: Pause, reason: string, step: () => Promise<T | undefined>): Promise<T> {
  for (let round = 0; round < ROUNDS; round++) {
    if (round > 0) await pause(round - 1)
    const result = await step()
    if (result !== undefined) return result
  }
  throw unavailable(new Error(reason))
}

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
  return inRounds(pause, 'the transaction met others in every round', async () => {
    const result = await request(async () => {
      await documents.send(new TransactWriteCommand({ TransactItems: writes }))
      return { kind: 'written', item: {} } as const
    }, cancellationOf)
    if (result === 'throttled' && !budget.spend()) throw unavailable(new Error('the transaction was throttled'))
    return result === 'conflict' || result === 'throttled' ? undefined : result
  })
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

/** A read of some attributes alone, now; the version is always among them. */
export function only(attributes: readonly string[]) {
  const names = Object.fromEntries([...attributes, 'v'].map((name) => [`#${name}`, name]))
  return {
    ProjectionExpression: Object.keys(names).join(', '),
    ExpressionAttributeNames: names,
    ConsistentRead: true,
  }
}

/**
 * The row under a key, as it is now.
 * @param attributes all if absent
 * @throws ServiceError `UNAVAILABLE`
 */
export async function itemAt(
  documents: Documents,
  table: string,
  key: Item,
  attributes?: readonly string[],
): Promise<Item | undefined> {
  const part = attributes ? only(attributes) : { ConsistentRead: true }
  const get = new GetCommand({ TableName: table, Key: key, ...part })
  return (await request(() => documents.send(get))).Item
}

/** One page of a query. */
export interface Page {
  readonly items: readonly Item[]
  /** Where to read on; undefined after the last page. */
  readonly last: Item | undefined
  /** How many rows were looked at, with those that the filter dropped. */
  readonly looked: number
}

/** One page of each query; they are asked side by side. @throws ServiceError `UNAVAILABLE` */
export function pagesAt(documents: Documents, queries: readonly QueryCommandInput[]): Promise<readonly Page[]> {
  return Promise.all(queries.map((query) => pageOf(documents, query)))
}

/** @throws ServiceError `UNAVAILABLE` */
export async function pageOf(documents: Documents, query: QueryCommandInput): Promise<Page> {
  const { Items, LastEvaluatedKey, ScannedCount } = await request(() => documents.send(new QueryCommand(query)))
  return { items: Items ?? [], last: LastEvaluatedKey, looked: ScannedCount ?? 0 }
}

/** Sends a batch until all of it is stored: DynamoDB returns the requests that a throttled table did not accept. */
export async function drain<T extends object>(
  batch: T,
  pause: Pause,
  send: (rest: T) => Promise<T | undefined>,
): Promise<void> {
  let rest = batch
  await inRounds(pause, 'a batch was not taken in every round', async () => {
    const left = await send(rest)
    if (left === undefined || Object.keys(left).length === 0) return true
    rest = left
    return undefined
  })
}

type BatchWrites = NonNullable<BatchWriteCommandInput['RequestItems']>

/** The most requests of one BatchWriteItem (DynamoDB API reference). */
const MOST_WRITES = 25

/** Many writes without conditions. @throws ServiceError `UNAVAILABLE` */
export async function writeBatch(
  documents: Documents,
  table: string,
  writes: BatchWrites[string],
  pause: Pause,
): Promise<void> {
  for (let start = 0; start < writes.length; start += MOST_WRITES) {
    const chunk = { [table]: writes.slice(start, start + MOST_WRITES) }
    await drain<BatchWrites>(chunk, pause, async (rest) => {
      const { UnprocessedItems: left } = await request(() =>
        documents.send(new BatchWriteCommand({ RequestItems: rest })),
      )
      return left
    })
  }
}
