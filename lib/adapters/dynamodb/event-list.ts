import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import type { EventSummary } from '../../webhooks/detail.ts'
import { byPosition, type EventList, type Position } from '../../webhooks/operators/list.ts'
import { type Documents, request } from './client.ts'
import { LIST_SHARDS } from './event-item.ts'
import { type IndexItem, idRange, queryOf, toSummary } from './event-query.ts'

/** How many requests one page of a list may take. */
const MAXIMUM_REQUESTS = 24

/** Rows per request once it is clear that the filter drops most of them. */
const MANY_ROWS = 1000

/** Sentinel below every id: the shard is exhausted. */
const END = -1n

/** One key of the index, and how far it has been read. */
interface Shard {
  readonly name: string
  readonly found: readonly EventSummary[]
  readonly start: QueryCommandInput['ExclusiveStartKey']
  /** Every event with a higher id has been looked at. */
  readonly readTo: bigint
}

/** The index `byTime` of the events table: its keys are read side by side, and what they hold is merged by id. */
export function dynamoEventList(documents: Documents, table: string): EventList {
  async function readOn(query: QueryCommandInput, { name, found, start }: Shard): Promise<Shard> {
    const page = await request(() =>
      documents.send(
        new QueryCommand({
          ...query,
          ExpressionAttributeValues: { ...query.ExpressionAttributeValues, ':shard': name },
          ExclusiveStartKey: start,
        }),
      ),
    )
    const last = page.LastEvaluatedKey
    return {
      name,
      found: [...found, ...((page.Items ?? []) as IndexItem[]).map(toSummary)],
      start: last,
      readTo: last ? BigInt(String(last['id'])) : END,
    }
  }

  async function readAll(query: QueryCommandInput, isEnough: (ready: readonly EventSummary[]) => boolean) {
    let shards = await Promise.all(LIST_SHARDS.map((name) => readOn(query, untouched(name))))
    for (let requests = shards.length; requests < MAXIMUM_REQUESTS; requests++) {
      const behind = furthestBehind(shards)
      if (behind.start === undefined || isEnough(readyOf(shards))) break
      const ahead = await readOn({ ...query, Limit: laterRows(query) }, behind)
      shards = shards.map((shard) => (shard === behind ? ahead : shard))
    }
    return shards
  }

  return {
    async find(filter, after, limit) {
      const range = idRange(filter, after)
      if (range[0] > range[1]) return { events: [], next: undefined }
      const query = { ...queryOf(table, filter, range), Limit: Math.ceil(limit / 2) + 2 }
      const isNews = (event: EventSummary) => after === undefined || byPosition(event, after) > 0
      const shards = await readAll(query, (ready) => ready.filter(isNews).length > limit)
      const events = readyOf(shards).filter(isNews).sort(byPosition)
      const page = events.slice(0, limit)
      return { events: page, next: events.length > limit ? positionOf(page.at(-1)) : borderOf(shards) }
    },

    async count(filter) {
      const range = idRange(filter, undefined)
      if (range[0] > range[1]) return 0
      const query = queryOf(table, filter, range)
      const counts = await Promise.all(LIST_SHARDS.map((name) => countShard(documents, query, name)))
      return counts.reduce((sum, count) => sum + count, 0)
    },
  }
}

function untouched(name: string): Shard {
  return { name, found: [], start: undefined, readTo: END }
}

/** The first requests look at a little more than each key's share of a page. */
function laterRows({ FilterExpression: filter, Limit: first }: QueryCommandInput): number | undefined {
  return filter === undefined ? first : MANY_ROWS
}

function furthestBehind(shards: readonly Shard[]): Shard {
  return shards.reduce((one, other) => (other.readTo > one.readTo ? other : one))
}

/** Events that are final: no unread shard can hold a newer one. */
function readyOf(shards: readonly Shard[]): readonly EventSummary[] {
  const { readTo } = furthestBehind(shards)
  return shards.flatMap(({ found }) => found.filter(({ id }) => id > readTo))
}

/** Where the next page begins; undefined when every row has been read. */
function borderOf(shards: readonly Shard[]): Position | undefined {
  const { start, readTo } = furthestBehind(shards)
  return start && { id: readTo, source: '', eventId: '' }
}

function positionOf(event: EventSummary | undefined): Position | undefined {
  return event && { id: event.id, source: event.source, eventId: event.eventId }
}

async function countShard(documents: Documents, query: QueryCommandInput, name: string): Promise<number> {
  const values = { ...query.ExpressionAttributeValues, ':shard': name }
  let start: QueryCommandInput['ExclusiveStartKey']
  let count = 0
  do {
    const page = new QueryCommand({
      ...query,
      ExpressionAttributeValues: values,
      Select: 'COUNT',
      ExclusiveStartKey: start,
    })
    const { Count: found = 0, LastEvaluatedKey: last } = await request(() => documents.send(page))
    count += found
    start = last
  } while (start)
  return count
}
