import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import {
  DeleteCommand,
  type DeleteCommandInput,
  PutCommand,
  type PutCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { unavailable } from '../../errors.ts'
import { budget, type Documents, request, unmarshallOptions } from './client.ts'

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
