import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import { firstIdAt, LAST_ID } from '../../runtime/ids.ts'
import { toLocalDateTime } from '../../runtime/time.ts'
import { type EventSummary, shownProof } from '../../webhooks/detail.ts'
import type { EventChange } from '../../webhooks/live/cursor.ts'
import type { ChangeReader } from '../../webhooks/live/feed.ts'
import type { CountedEvent, CountedEvents } from '../../webhooks/operators/counts.ts'
import { byPosition, type EventFilter, type EventList, finderOf, type Position } from '../../webhooks/operators/list.ts'
import { type EventItem, LIST_SHARDS, processedAtIn, proofIn, remarksOf } from './event-item.ts'
import { newestPage, pagesOf, restOf, type ShardedIndex, underEach } from './lists.ts'
import { type Documents, type Item, type Page, pagesAt, timeAt } from './table.ts'

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
  attention: ([key]) => `(dead = ${key} OR held = ${key})`,
} as const satisfies Conditions

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
      const query = { ...queryOf(table, filter, range), ProjectionExpression: attributesToCount(filter) }
      const found: CountedEvent[] = []
      let left = most
      let unread = range[0] > range[1] ? [] : underEach(LIST_SHARDS, query)
      while (unread.length > 0 && left > 0) {
        const next = unread.slice(0, left)
        const limit = Math.floor(left / next.length)
        const limited = next.map((one) => ({ ...one, Limit: limit }))
        const pages = await pagesAt(documents, limited)
        found.push(...pages.flatMap(({ items }) => countedIn(items, filter)))
        left -= pages.reduce((sum, { looked }) => sum + looked, 0)
        unread = [...next.flatMap((one, index) => restOf(one, pages[index])), ...unread.slice(next.length)]
      }
      return { found, isComplete: unread.length === 0 }
    },
  }
}

function attributesToCount({ q }: EventFilter): string {
  return `#source, #status, dead, receivedAt, expireAt${q === undefined ? '' : ', eventId, eventType, errorMessage, summary'}`
}

function countedIn(items: readonly Item[], { q }: EventFilter): readonly CountedEvent[] {
  const isFound = finderOf(q) ?? (() => true)
  return (items as unknown as IndexItem[])
    .filter(isFound)
    .map(({ source, status, dead, receivedAt }) => ({ source, status, dead, receivedAt: new Date(receivedAt) }))
}

/** Page size: changes read from one shard of an index per request. */
const PAGE = 200

/** `byTime` holds every event by its intake, `byChange` those that have changed since, by their last change. */
const INDEXES = [
  { name: 'byTime', key: 'id' },
  { name: 'byChange', key: 'changeId' },
] as const

const KEYS = INDEXES.flatMap((index) => LIST_SHARDS.map((shard) => ({ ...index, shard })))

/** What both indexes hold of an event. */
type ChangedItem = Pick<EventItem, keyof EventChange>

/** Two indexes of the events table: their keys are read side by side and merged. */
export function dynamoChangeReader(documents: Documents, table: string): ChangeReader {
  return {
    async after(position) {
      const queries = KEYS.map(({ name, key, shard }) => ({
        TableName: table,
        IndexName: name,
        KeyConditionExpression: `listShard = :shard AND ${key} > :position`,
        ExpressionAttributeValues: { ':shard': shard, ':position': position },
        Limit: PAGE,
      }))
      const read = await pagesAt(documents, queries)
      const pages = KEYS.map(({ key }, index) => partOf(read[index], key))
      const upTo = pages.reduce<bigint | undefined>((least, page) => earlier(least, page.upTo), undefined)
      const found = pages.flatMap(({ items }) => items.map(toChange))
      const complete = found.filter(({ changeId }) => upTo === undefined || BigInt(changeId) <= upTo)
      return { changes: complete.toSorted(byChangeId), upTo }
    },
  }
}

/** The changes of one key, and up to where they are all. */
function partOf(page: Page | undefined, key: keyof ChangedItem) {
  const { items = [], last } = page ?? {}
  const present = (items as unknown as ChangedItem[]).filter(
    (item) => key === 'changeId' || item.changeId === undefined,
  )
  // Another row may have the last position too.
  return { items: present, upTo: last && BigInt(String(last[key])) - 1n }
}

function earlier(one: bigint | undefined, other: bigint | undefined): bigint | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one < other ? one : other
}

function byChangeId({ changeId: one }: EventChange, { changeId: other }: EventChange): number {
  return one.length - other.length || (one < other ? -1 : 1)
}

function toChange({ id, changeId = id, source, proof, ...same }: ChangedItem): EventChange {
  const { eventId, eventType, status, receivedAt } = same
  return {
    changeId: changeId.toString(),
    id: id.toString(),
    source,
    eventId,
    eventType,
    status,
    receivedAt: toLocalDateTime(new Date(receivedAt)),
    proof: shownProof(proofIn(proof, { source, receivedAt })),
  }
}
