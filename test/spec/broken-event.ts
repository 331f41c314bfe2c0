import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { served } from '../support/served.ts'

/** Stores an event that no code could have written: whoever reads it comes upon a bug. */
export async function storeBrokenEvent(): Promise<string> {
  const eventId = `broken-${crypto.randomUUID()}`
  const client = new DynamoDBClient({
    endpoint: served('ready').dynamodb,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })
  const item = { source: { S: 'payment' }, eventId: { S: eventId } }
  await client.send(new PutItemCommand({ TableName: 'gatehouse-local-events', Item: item }))
  client.destroy()
  return `/api/webhooks/events/payment/${eventId}`
}
