import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import type { CountedEvent, CountedEvents } from '../../webhooks/operators/counts.ts'
import { type Documents, request } from './client.ts'
import type { Item } from './conditional.ts'
import { type EventItem, LIST_SHARDS } from './event-item.ts'
import { idRange, queryOf } from './event-query.ts'

/** One key of the index `byTime`, and where to read on. */
interface Rest {
  readonly name: string
  readonly start?: QueryCommandInput['ExclusiveStartKey']
}

/** The index `byTime` of the events table: its keys are read side by side, and none is far ahead of the others. */
export function dynamoCountedEvents(documents: Documents, table: string): CountedEvents {
  async function readOn(query: QueryCommandInput, { name, start }: Rest, limit: number) {
    const values = { ...query.ExpressionAttributeValues, ':shard': name }
    const page = new QueryCommand({
      ...query,
      ExpressionAttributeValues: values,
      ProjectionExpression: '#source, #status, receivedAt, expireAt',
      ExpressionAttributeNames: { '#source': 'source', '#status': 'status' },
      ExclusiveStartKey: start,
      Limit: limit,
    })
    const {
      Items: items = [],
      ScannedCount: looked = 0,
      LastEvaluatedKey: last,
    } = await request(() => documents.send(page))
    return { found: items.map(toCounted), looked, rest: last ? [{ name, start: last }] : [] }
  }

  return {
    async look(filter, most) {
      const range = idRange(filter, undefined)
      const query = queryOf(table, filter, range)
      const found: CountedEvent[] = []
      let left = most
      let unread: readonly Rest[] = range[0] > range[1] ? [] : LIST_SHARDS.map((name) => ({ name }))
      while (unread.length > 0 && left > 0) {
        const next = unread.slice(0, left)
        const limit = Math.floor(left / next.length)
        const pages = await Promise.all(next.map((one) => readOn(query, one, limit)))
        for (const page of pages) found.push(...page.found)
        left -= pages.reduce((sum, { looked }) => sum + looked, 0)
        unread = [...pages.flatMap(({ rest }) => rest), ...unread.slice(next.length)]
      }
      return { found, isComplete: unread.length === 0 }
    },
  }
}

function toCounted(item: Item): CountedEvent {
  const { source, status, receivedAt } = item as unknown as Pick<EventItem, keyof CountedEvent>
  return { source, status, receivedAt: new Date(receivedAt) }
}
