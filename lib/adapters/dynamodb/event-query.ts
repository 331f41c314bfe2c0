import type { NumberValue, QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import { firstIdAt, LAST_ID } from '../../runtime/ids.ts'
import type { EventSummary } from '../../webhooks/detail.ts'
import type { EventFilter, Position } from '../../webhooks/operators/list.ts'
import { type EventItem, processedAtIn, remarksOf } from './event-item.ts'

/** What the index `byTime` holds of an event. */
export type IndexItem = Pick<EventItem, Exclude<keyof EventSummary, 'id'>> & { readonly id: number | NumberValue }

/** DynamoDB compares texts only with their case, so `q` is no condition. */
type Condition = Exclude<keyof EventFilter, 'q'>

/** Parts of a filter as conditions on an index, by the placeholders of their values; only a list has several. */
export type Conditions = Readonly<Partial<Record<Condition, (keys: readonly string[]) => string>>>

export const CONDITIONS = {
  status: (keys) => `#status IN (${keys.join(', ')})`,
  source: (keys) => `#source IN (${keys.join(', ')})`,
  type: (keys) => `eventType IN (${keys.join(', ')})`,
  from: ([key]) => `receivedAt >= ${key}`,
  to: ([key]) => `receivedAt <= ${key}`,
  dead: ([key]) => `dead = ${key}`,
} as const satisfies Conditions

/** Words that DynamoDB keeps for itself. */
const RESERVED: readonly Condition[] = ['status', 'source']

/** Greatest difference between the time in an id and `receivedAt`, in milliseconds. */
const APART = 1000

/** The ids among which the events are, both ends included: those of the times in the filter, down from a position. */
export function idRange({ from, to }: EventFilter, after: Position | undefined): readonly [bigint, bigint] {
  const first = from ? firstIdAt(from.getTime() - APART) : 0n
  const last = to ? firstIdAt(to.getTime() + APART) : LAST_ID
  return [first, after && after.id < last ? after.id : last]
}

/** A query for the events of the table's index among some ids, newest first, without `q`; the shard is still to be named. */
export function queryOf(
  table: string,
  filter: EventFilter,
  [first, last]: readonly [bigint, bigint],
): QueryCommandInput {
  const { values, expression } = conditionsOf(filter, CONDITIONS)
  const reserved = RESERVED.filter((word) => filter[word] !== undefined)
  return {
    TableName: table,
    IndexName: 'byTime',
    ScanIndexForward: false,
    KeyConditionExpression: 'listShard = :shard AND id BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':first': first,
      ':last': last,
      ...values,
    },
    ...expression,
    ...(reserved.length > 0 && {
      ExpressionAttributeNames: Object.fromEntries(reserved.map((word) => [`#${word}`, word])),
    }),
  }
}

/** What is given of a filter as an expression, with the values of its placeholders. */
export function conditionsOf(filter: EventFilter, conditions: Conditions) {
  const parts = Object.entries(conditions)
    .filter(([name]) => filter[name as Condition] !== undefined)
    .map(([name, condition]) => ({ condition, values: storedValues(name, filter[name as Condition]) }))
  const written = parts.map(({ condition, values }) => condition(values.map(([key]) => key)))
  return {
    values: Object.fromEntries(parts.flatMap(({ values }) => values)),
    expression: written.length > 0 ? { FilterExpression: written.join(' AND ') } : {},
  }
}

/** What a part of a filter looks for, each value with its placeholder. */
function storedValues(name: string, value: EventFilter[keyof EventFilter]): readonly (readonly [string, unknown])[] {
  if (value instanceof Date) return [[`:${name}`, value.getTime()]]
  return typeof value === 'object' ? value.map((one, index) => [`:${name}${index}`, one]) : [[`:${name}`, value]]
}

export function toSummary(item: IndexItem): EventSummary {
  const { id, receivedAt, nextRetryAt, ...same } = item
  return {
    id: BigInt(id.toString()),
    source: same.source,
    eventId: same.eventId,
    eventType: same.eventType,
    status: same.status,
    receivedAt: new Date(receivedAt),
    processedAt: processedAtIn(item),
    attempts: same.attempts,
    nextRetryAt: toDate(nextRetryAt),
    dead: same.dead,
    errorMessage: same.errorMessage,
    outcome: same.outcome,
    replayId: same.replayId,
    ...remarksOf(same),
  }
}

function toDate(milliseconds: number | undefined): Date | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds)
}
