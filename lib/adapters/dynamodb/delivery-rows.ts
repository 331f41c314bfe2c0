import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import { type Documents, request } from './client.ts'
import type { Item } from './conditional.ts'

/** All rows of the deliveries table under one key, by destination. */
export async function rowsUnder(documents: Documents, table: string, event: string): Promise<readonly Item[]> {
  const found: Item[] = []
  let start: QueryCommandInput['ExclusiveStartKey']
  do {
    const query = new QueryCommand({
      TableName: table,
      KeyConditionExpression: '#event = :event',
      ExpressionAttributeNames: { '#event': 'event' },
      ExpressionAttributeValues: { ':event': event },
      ConsistentRead: true,
      ExclusiveStartKey: start,
    })
    const page = await request(() => documents.send(query))
    found.push(...(page.Items ?? []))
    start = page.LastEvaluatedKey
  } while (start)
  return found
}
