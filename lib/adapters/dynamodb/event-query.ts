import type { NumberValue, QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import { firstIdAt, LAST_ID } from '../../runtime/ids.ts'
import type { EventSummary } from '../../webhooks/detail.ts'
import type { EventFilter, Position } from '../../webhooks/operators/list.ts'
import { type EventItem, processedAtIn, remarksOf } from './event-item.ts'

/** What the index `byTime` holds of an event. */
export type IndexItem = Pick<EventItem, Exclude<keyof EventSummary, 'id'>> & { readonly id: number | NumberValue }

/** DynamoDB compares texts only with their case, so `q` is no condition. */
type Condition = Exclude<keyof EventFilter, 'q'>

/**
 * Each part of a filter as a condition on the index, by the placeholder of its value; a list has several, with commas.
 */
const CONDITIONS = {
  status: (listed) => `#status IN (${listed})`,
  source: (listed) => `#source IN (${listed})`,
  type: (listed) => `eventType IN (${listed})`,
  from: (value) => `receivedAt >= ${value}`,
  to: (value) => `receivedAt <= ${value}`,
  dead: (value) => `dead = ${value}`,
} as const satisfies Record<Condition, (placeholders: string) => string>

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
  const given = Object.keys(CONDITIONS).filter((name): name is Condition => Object.hasOwn(CONDITIONS, name))
  const parts = given
    .filter((name) => filter[name] !== undefined)
    .map((name) => ({ name, values: storedValues(name, filter[name]) }))
  const conditions = parts.map(({ name, values }) => CONDITIONS[name](values.map(([key]) => key).join(', ')))
  const reserved = RESERVED.filter((word) => parts.some(({ name }) => name === word))
  return {
    TableName: table,
    IndexName: 'byTime',
    ScanIndexForward: false,
    KeyConditionExpression: 'listShard = :shard AND id BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':first': first,
      ':last': last,
      ...Object.fromEntries(parts.flatMap(({ values }) => values)),
    },
    ...(conditions.length > 0 && { FilterExpression: conditions.join(' AND ') }),
    ...(reserved.length > 0 && {
      ExpressionAttributeNames: Object.fromEntries(reserved.map((word) => [`#${word}`, word])),
    }),
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
