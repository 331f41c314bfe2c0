import { GetCommand } from '@aws-sdk/lib-dynamodb'
import type { EventReader } from '../../webhooks/detail.ts'
import { readElements } from './batch-items.ts'
import { type Documents, request } from './client.ts'
import { jitter, type Pause } from './conditional.ts'
import { type EventItem, headOf } from './event-item.ts'
import { readStoredBody } from './stored-body.ts'

export function dynamoEventReader(documents: Documents, table: string, pause: Pause = jitter): EventReader {
  return {
    async find({ source, eventId }) {
      const get = new GetCommand({ TableName: table, Key: { source, eventId }, ConsistentRead: true })
      const { Item: found } = await request(() => documents.send(get))
      if (found === undefined) return undefined
      const item = found as EventItem
      const head = headOf(item)
      const { payloadSha256 } = head
      return { ...head, payload: await readStoredBody(documents, table, { ...item, payloadSha256 }, pause) }
    },
    items: (key, count) => readElements(documents, table, key, count, pause),
  }
}
