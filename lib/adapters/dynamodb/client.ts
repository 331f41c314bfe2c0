import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { retriesWithin } from '../../runtime/retry-budget.ts'
import { bytesIn } from '../aws/client.ts'
import { budget, type Documents, unmarshallOptions } from './table.ts'

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
      /** Most answers have no row. */
      const counting = (answer: WithRows) => {
        const rows = rowsIn(answer)
        refuseOthers(rows, call.input)
        return rows.length > 0 ? livingIn(answer, clock.now()) : {}
      }
      try {
        const result = await next(call)
        return { ...result, output: { ...result.output, ...counting(result.output as WithRows) } }
      } catch (error) {
        throw Object.assign(error as Error, counting(error as WithRows))
      }
    },
    { step: 'initialize', name: 'itemVersion' },
  )
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
