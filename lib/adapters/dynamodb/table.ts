import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  DynamoDBServiceException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  DeleteCommand,
  type DeleteCommandInput,
  DynamoDBDocumentClient,
  NumberValue,
  PutCommand,
  type PutCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { unavailable } from '../../errors.ts'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { createRetryBudget, retriesWithin } from '../../runtime/retry-budget.ts'
import { bytesIn } from '../aws/client.ts'

/** The part of the document client that the stores use. */
export type Documents = Pick<DynamoDBDocumentClient, 'send'>

/** Retry budget shared by all DynamoDB calls of this process. */
const budget = createRetryBudget()

/**
 * A new client; endpoint and credentials come from the environment as AWS defines it.
 * @param timeout of one request, in milliseconds
 * @param clock says which rows are past their end
 */
export function documentClient(timeout = 3000, clock: Clock = systemClock): Documents {
  const client = new DynamoDBClient({
    retryStrategy: retriesWithin(budget, 3),
    streamCollector: bytesIn,
    requestHandler: { connectionTimeout: timeout, requestTimeout: timeout, throwOnRequestTimeout: true },
  })
  readOnlyWhatCounts(client, clock)
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
 * Keeps a client from reading a row of another version, which says so in its attribute `v`. A row without it is of version
 * 1, the only one so far, and costs no byte for that (docs/decisions/0046-item-versions.md). Hides rows whose time in
 * `expireAt` is past: DynamoDB deletes them up to days later, and no emulator does.
 */
function readOnlyWhatCounts(client: DynamoDBClient, clock: Clock): void {
  client.middlewareStack.add(
    (next) => async (call) => {
      const known = (answer: WithRows) => refuseOthersIn(answer, call.input)
      try {
        const result = await next(call)
        known(result.output as WithRows)
        return { ...result, output: { ...result.output, ...livingIn(result.output as WithRows, clock.now()) } }
      } catch (error) {
        known(error as WithRows)
        throw Object.assign(error as Error, livingIn(error as WithRows, clock.now()))
      }
    },
    { step: 'initialize', name: 'itemVersion' },
  )
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
function refuseOthersIn(
  { Item, Attributes, Items = [], Responses = {}, CancellationReasons = [] }: WithRows,
  input: object,
) {
  const rows = [
    Item,
    Attributes,
    ...Items,
    ...Object.values(Responses).flat(),
    ...CancellationReasons.map((one) => one.Item),
  ]
  const version = rows.find((row) => row?.['v'])?.['v'] as number | { readonly N: string } | undefined
  if (version === undefined) return
  const [, table = Object.keys(Responses)] = /"TableName":"([^"]+)"/.exec(JSON.stringify(input)) ?? []
  const text = typeof version === 'number' ? version : version.N
  throw new RangeError(`a row of ${table} is of version ${text}, and this release reads version 1`)
}

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
