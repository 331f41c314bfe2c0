import { GetCommand } from '@aws-sdk/lib-dynamodb'
import type { EventReader } from '../../webhooks/detail.ts'
import type { EventKey } from '../../webhooks/event.ts'
import { readElements } from './batch-items.ts'
import { type Documents, request } from './client.ts'
import { jitter, type Pause } from './conditional.ts'
import { type EventItem, headOf } from './event-item.ts'
import { readStoredBody } from './stored-body.ts'

export function dynamoEventReader(documents: Documents, table: string, pause: Pause = jitter): EventReader {
  async function read({ source, eventId }: EventKey): Promise<EventItem | undefined> {
    const get = new GetCommand({ TableName: table, Key: { source, eventId }, ConsistentRead: true })
    const { Item: found } = await request(() => documents.send(get))
    return found as EventItem | undefined
  }

  return {
    async find(key) {
      const item = await read(key)
      if (item === undefined) return undefined
      const head = headOf(item)
      if (head.payloadDeletedAt !== undefined) return { ...head, payload: undefined }
      const { payloadSha256 } = head
      return { ...head, payload: await readStoredBody(documents, table, { ...item, payloadSha256 }, pause) }
    },

    async head(key) {
      const item = await read(key)
      return item && headOf(item)
    },

    items: (key, count) => readElements(documents, table, key, count, pause),
  }
}
