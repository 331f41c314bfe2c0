import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { HeardDay, HeardList } from '../../webhooks/heard/heard.ts'
import { utcDayOf } from '../../webhooks/refusals/refusal.ts'
import { type Documents, request } from './client.ts'
import type { Item } from './conditional.ts'

/** The partition of the refusals table in which the sources are that were heard; refusals have days. */
export const HEARD = 'heard'

/** One query, and more only beyond 1 MB. */
export function dynamoHeardList(documents: Documents, table: string): HeardList {
  return {
    async since(oldest) {
      const found: HeardDay[] = []
      let start: Item | undefined
      do {
        const query = new QueryCommand({
          TableName: table,
          KeyConditionExpression: '#day = :heard AND cause >= :oldest',
          ExpressionAttributeNames: { '#day': 'day' },
          ExpressionAttributeValues: { ':heard': HEARD, ':oldest': utcDayOf(oldest) },
          ExclusiveStartKey: start,
        })
        const { Items: items = [], LastEvaluatedKey: last } = await request(() => documents.send(query))
        found.push(...items.map(heardDay))
        start = last
      } while (start)
      return found
    },
  }
}

function heardDay({ source, firstAt, lastAt }: Item): HeardDay {
  return { source: String(source), firstAt: new Date(Number(firstAt)), lastAt: new Date(Number(lastAt)) }
}
