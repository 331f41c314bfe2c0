import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { RefusalList } from '../../webhooks/refusals/list.ts'
import { type CountedRefusals, utcDayOf } from '../../webhooks/refusals/refusal.ts'
import { type Documents, request } from './client.ts'
import type { Item } from './conditional.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Both ends included. */
type Span = readonly [oldest: Date, newest: Date]

export function dynamoRefusalList(documents: Documents, table: string): RefusalList {
  const itemsIn = itemsOf(documents, table)
  return { between: async (oldest, newest, source) => (await itemsIn([oldest, newest], source)).map(fromItem) }
}

/** One query for each day of the span, and more only for a day beyond 1 MB. */
function itemsOf(documents: Documents, table: string) {
  async function ofDay(day: string, [oldest, newest]: Span, source?: string): Promise<readonly Item[]> {
    const found: Item[] = []
    let start: Item | undefined
    do {
      const query = new QueryCommand({
        TableName: table,
        KeyConditionExpression: '#day = :day',
        FilterExpression: `lastAt >= :oldest AND lastAt <= :newest${source === undefined ? '' : ' AND #source = :source'}`,
        ExpressionAttributeNames: { '#day': 'day', ...(source !== undefined && { '#source': 'source' }) },
        ExpressionAttributeValues: {
          ':day': day,
          ':oldest': oldest.getTime(),
          ':newest': newest.getTime(),
          ':source': source,
        },
        ExclusiveStartKey: start,
      })
      const { Items: items = [], LastEvaluatedKey: last } = await request(() => documents.send(query))
      found.push(...items)
      start = last
    } while (start)
    return found
  }

  return async (span: Span, source?: string) =>
    (await Promise.all(daysOf(span).map((day) => ofDay(day, span, source)))).flat()
}

function daysOf([oldest, newest]: Span): readonly string[] {
  const last = utcDayOf(newest)
  const days: string[] = []
  for (let time = oldest.getTime(); utcDayOf(new Date(time)) <= last; time += DAY_MS)
    days.push(utcDayOf(new Date(time)))
  return days
}

function fromItem({ source, reason, verdict, count, address, size, headers, firstAt, lastAt }: Item): CountedRefusals {
  const same = { source, reason, verdict, count, address, size, headers } as unknown as CountedRefusals
  return { ...same, firstAt: new Date(Number(firstAt)), lastAt: new Date(Number(lastAt)) }
}
