import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import { firstIdAt, LAST_ID } from '../../runtime/ids.ts'
import type { EventSummary } from '../../webhooks/detail.ts'
import type { CountedEvent, CountedEvents } from '../../webhooks/operators/counts.ts'
import { byPosition, type EventFilter, type EventList, finderOf, type Position } from '../../webhooks/operators/list.ts'
import { type EventItem, LIST_SHARDS, processedAtIn, remarksOf } from './event-item.ts'
import { newestPage, pagesOf, restOf, type ShardedIndex, underEach } from './lists.ts'
import { type Documents, type Item, pagesAt, timeAt } from './table.ts'

/** What the index `byTime` holds of an event. */
export type IndexItem = Pick<EventItem, keyof EventSummary | 'listShard' | 'expireAt'>

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
  held: ([key]) => `held = ${key}`,
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
function queryOf(table: string, filter: EventFilter, [first, last]: readonly [bigint, bigint]): QueryCommandInput {
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

function toSummary(item: IndexItem): EventSummary {
  const { listShard, expireAt, ...same } = item
  return {
    ...same,
    id: BigInt(item.id.toString()),
    receivedAt: timeAt(item.receivedAt),
    processedAt: processedAtIn(item),
    nextRetryAt: timeAt(item.nextRetryAt),
    ...remarksOf(item),
  }
}

const BY_TIME: ShardedIndex<Position, EventSummary> = {
  keys: LIST_SHARDS,
  order: 'id',
  place: ({ id }) => id,
  read: (item) => toSummary(item as unknown as IndexItem),
  compare: byPosition,
  before: (id) => ({ id, source: '', eventId: '' }),
}

/** The index `byTime` of the events table: what its keys hold is merged by id. */
export function dynamoEventList(documents: Documents, table: string): EventList {
  return {
    async find(filter, after, limit) {
      const range = idRange(filter, after)
      if (range[0] > range[1]) return { events: [], next: undefined }
      const query = queryOf(table, filter, range)
      const { rows, next } = await newestPage(documents, query, BY_TIME, after, limit, isFoundBy(filter))
      return { events: rows, next: next && { id: next.id, source: next.source, eventId: next.eventId } }
    },

    async count(filter) {
      const range = idRange(filter, undefined)
      if (range[0] > range[1]) return 0
      const isFound = isFoundBy(filter)
      const query = { ...queryOf(table, filter, range), ...(!isFound && { ProjectionExpression: 'expireAt' }) }
      let count = 0
      for await (const items of pagesOf(documents, ...underEach(LIST_SHARDS, query)))
        count += isFound ? items.map(BY_TIME.read).filter(isFound).length : items.length
      return count
    },
  }
}

function isFoundBy({ q }: EventFilter) {
  return q === undefined ? undefined : finderOf(q)
}

/** The index `byTime` of the events table: its keys are read side by side, and none is far ahead of the others. */
export function dynamoCountedEvents(documents: Documents, table: string): CountedEvents {
  return {
    async look(filter, most) {
      const range = idRange(filter, undefined)
      const query = {
        ...queryOf(table, filter, range),
        ProjectionExpression: '#source, #status, receivedAt, expireAt',
        ExpressionAttributeNames: { '#source': 'source', '#status': 'status' },
      }
      const found: CountedEvent[] = []
      let left = most
      let unread = range[0] > range[1] ? [] : underEach(LIST_SHARDS, query)
      while (unread.length > 0 && left > 0) {
        const next = unread.slice(0, left)
        const limit = Math.floor(left / next.length)
        const limited = next.map((one) => ({ ...one, Limit: limit }))
        const pages = await pagesAt(documents, limited)
        for (const { items } of pages) found.push(...items.map(toCounted))
        left -= pages.reduce((sum, { looked }) => sum + looked, 0)
        unread = [...next.flatMap((one, index) => restOf(one, pages[index])), ...unread.slice(next.length)]
      }
      return { found, isComplete: unread.length === 0 }
    },
  }
}

function toCounted(item: Item): CountedEvent {
  const { source, status, receivedAt } = item as unknown as Pick<EventItem, keyof CountedEvent>
  return { source, status, receivedAt: new Date(receivedAt) }
}
