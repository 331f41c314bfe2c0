import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb'
import type { StoredId } from './calls.ts'

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }

/** What was acknowledged and is not stored as processed. */
export async function missingFrom(dynamodb: string, acknowledged: readonly StoredId[]): Promise<readonly StoredId[]> {
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint: dynamodb, region: 'eu-central-1', credentials }),
  )
  const stored = new Set<string>()
  const scan = {
    TableName: 'gatehouse-local-events',
    ProjectionExpression: '#source, eventId, #status',
    ExpressionAttributeNames: { '#source': 'source', '#status': 'status' },
  }
  for await (const { Items = [] } of paginateScan({ client }, scan))
    for (const { source, eventId, status } of Items)
      if (status === 'PROCESSED') stored.add(JSON.stringify([source, eventId]))
  client.destroy()
  return acknowledged.filter(({ source, eventId }) => !stored.has(JSON.stringify([source, eventId])))
}
