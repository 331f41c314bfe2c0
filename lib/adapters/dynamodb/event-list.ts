import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import type { EventSummary } from '../../webhooks/detail.ts'
import { byPosition, type EventList, finderOf, type Position } from '../../webhooks/operators/list.ts'
import { type Documents, request } from './client.ts'
import { LIST_SHARDS } from './event-item.ts'
import { type IndexItem, idRange, queryOf, toSummary } from './event-query.ts'
import { readNewest, type ShardedIndex } from './sharded-index.ts'

const BY_TIME: ShardedIndex<EventSummary> = {
  order: 'id',
  place: ({ id }) => id,
  read: (item) => toSummary(item as unknown as IndexItem),
}

/** The index `byTime` of the events table: what its keys hold is merged by id. */
export function dynamoEventList(documents: Documents, table: string): EventList {
  return {
    async find(filter, after, limit) {
      const range = idRange(filter, after)
      if (range[0] > range[1]) return { events: [], next: undefined }
      const query = { ...queryOf(table, filter, range), Limit: Math.ceil(limit / 2) + 2 }
      const isNews = (event: EventSummary) => after === undefined || byPosition(event, after) > 0
      const isEnough = (ready: readonly EventSummary[]) => ready.filter(isNews).length > limit
      const index = { ...BY_TIME, isFound: finderOf(filter.q) }
      const { rows, border } = await readNewest(documents, query, index, isEnough)
      const events = rows.filter(isNews).sort(byPosition)
      const page = events.slice(0, limit)
      return { events: page, next: events.length > limit ? positionOf(page.at(-1)) : borderOf(border) }
    },

    async count(filter) {
      const range = idRange(filter, undefined)
      if (range[0] > range[1]) return 0
      const query = {
        ...queryOf(table, filter, range),
        ...(filter.q === undefined && { ProjectionExpression: 'expireAt' }),
      }
      const isFound = finderOf(filter.q)
      const counts = await Promise.all(LIST_SHARDS.map((name) => countShard(documents, query, name, isFound)))
      return counts.reduce((sum, count) => sum + count, 0)
    },
  }
}

/** Where the next page begins; undefined when every row has been read. */
function borderOf(border: bigint | undefined): Position | undefined {
  return border === undefined ? undefined : { id: border, source: '', eventId: '' }
}

function positionOf(event: EventSummary | undefined): Position | undefined {
  return event && { id: event.id, source: event.source, eventId: event.eventId }
}

async function countShard(
  documents: Documents,
  query: QueryCommandInput,
  name: string,
  isFound: ((event: EventSummary) => boolean) | undefined,
): Promise<number> {
  const values = { ...query.ExpressionAttributeValues, ':shard': name }
  let start: QueryCommandInput['ExclusiveStartKey']
  let count = 0
  do {
    const page = new QueryCommand({
      ...query,
      ExpressionAttributeValues: values,
      ExclusiveStartKey: start,
    })
    const { Items: items = [], LastEvaluatedKey: last } = await request(() => documents.send(page))
    count += isFound ? items.map(BY_TIME.read).filter(isFound).length : items.length
    start = last
  } while (start)
  return count
}
