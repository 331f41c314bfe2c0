import { GetCommand } from '@aws-sdk/lib-dynamodb'
import type { EventReader } from '../../webhooks/detail.ts'
import { type Documents, request } from './client.ts'
import { type EventItem, fromItem } from './event-item.ts'

export function dynamoEventReader(documents: Documents, table: string): EventReader {
  return {
    async find({ source, eventId }) {
      const get = new GetCommand({ TableName: table, Key: { source, eventId }, ConsistentRead: true })
      const { Item: item } = await request(() => documents.send(get))
      return item && fromItem(item as EventItem)
    },
  }
}
