import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { dynamoReplays } from '../../lib/adapters/dynamodb/replays.ts'
import type { WebhookEvent } from '../../lib/webhooks/event.ts'
import type { Replay } from '../../lib/webhooks/operators/replay.ts'
import { failedEvent } from './fakes/webhooks.ts'
import { served } from './served.ts'

type Row = Readonly<Record<string, unknown>>

const tableOf = (name: string) => `gatehouse-local-${name}`

/** A client of the running service's own tables. */
function documents(): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    endpoint: served('ready').dynamodb,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } })
}

/** A row that no endpoint shows. */
export async function storedRow(table: string, key: Record<string, string>): Promise<Row | undefined> {
  const client = documents()
  const { Item: row } = await client.send(new GetCommand({ TableName: tableOf(table), Key: key, ConsistentRead: true }))
  client.destroy()
  return row
}

/** Puts a row that no endpoint makes. */
export async function putRow(table: string, row: object): Promise<void> {
  const client = documents()
  await client.send(new PutCommand({ TableName: tableOf(table), Item: row }))
  client.destroy()
}

/** Takes a row away that no endpoint takes away. */
export async function forgetRow(table: string, key: Record<string, string>): Promise<void> {
  const client = documents()
  await client.send(new DeleteCommand({ TableName: tableOf(table), Key: key }))
  client.destroy()
}

/** Puts an event as an earlier intake may have left it behind. */
export async function leaveBehind(event: WebhookEvent): Promise<void> {
  const client = documents()
  await dynamoEventStore(client, { events: tableOf('events'), effects: [] }).insert(event, {})
  client.destroy()
}

/**
 * Puts so many events, one a second until a time, all of the source `bulk-` and the first eight characters of their tag.
 * They have failed for good, or are as the changes say.
 */
export async function leaveEvents(
  count: number,
  tag: string,
  { until = new Date(), ...changes }: Partial<WebhookEvent> & { readonly until?: Date } = {},
): Promise<void> {
  const client = documents()
  const store = dynamoEventStore(client, { events: tableOf('events'), effects: [] })
  const start = until.getTime() - 1000 * count
  const numbers = Iterator.from(Array(count).keys())
  const insertAll = async () => {
    for (const index of numbers) {
      const receivedAt = new Date(start + 1000 * index)
      const id = BigInt(receivedAt.getTime()) << 21n
      const source = `bulk-${tag.slice(0, 8)}`
      const event = failedEvent({ id, source, eventId: `${index}-${tag}`, receivedAt })
      await store.insert({ ...event, dead: true, nextRetryAt: undefined, ...changes }, {})
    }
  }
  await Promise.all(Array.from({ length: 16 }, insertAll))
  client.destroy()
}

/** Puts a replay whose first message was lost. */
export async function leaveReplay(replay: Replay): Promise<void> {
  const client = documents()
  await dynamoReplays(client, tableOf('replays')).create(replay)
  client.destroy()
}
