import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import { inject } from 'vitest'

type Row = Readonly<Record<string, unknown>>

/** A row of the running service's own table, which no endpoint shows. */
export async function storedRow(table: string, key: Record<string, string>): Promise<Row | undefined> {
  const client = new DynamoDBClient({
    endpoint: inject('ready').dynamodb,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })
  const get = new GetCommand({ TableName: `gatehouse-local-${table}`, Key: key, ConsistentRead: true })
  const { Item: row } = await DynamoDBDocumentClient.from(client).send(get)
  client.destroy()
  return row
}
