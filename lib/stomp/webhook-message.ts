import { Buffer } from 'node:buffer'
import type { EventChange } from '../webhooks/change-feed.ts'
import type { BusMessage } from './bus.ts'
import { WEBHOOKS } from './destinations.ts'

/** A change of a webhook event, with where it stands in the list of them. */
export interface ChangeNotice extends EventChange {
  readonly cursor: string
}

/** What an admin who listens is told of a change. */
export function webhookMessage(notice: ChangeNotice): BusMessage {
  const { cursor, id, source, eventId, eventType, status, receivedAt } = notice
  return {
    destination: WEBHOOKS,
    headers: { 'content-type': 'application/json', 'event-cursor': cursor },
    body: Buffer.from(JSON.stringify({ cursor, id, source, eventId, eventType, status, receivedAt })),
  }
}
