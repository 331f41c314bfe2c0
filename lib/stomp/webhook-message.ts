import { Buffer } from 'node:buffer'
import type { Notice } from '../webhooks/live/feed.ts'
import type { BusMessage } from './bus.ts'
import { WEBHOOKS } from './destinations.ts'

/** Encoded once: one notice goes to many sessions. */
const messages = new WeakMap<Notice, BusMessage>()

/** The message that a subscribed admin gets for a changed webhook event. */
export function webhookMessage(notice: Notice): BusMessage {
  const message = messages.get(notice) ?? messageOf(notice)
  messages.set(notice, message)
  return message
}

function messageOf({ change, cursor }: Notice): BusMessage {
  const { id, source, eventId, eventType, status, receivedAt, proof } = change
  return {
    destination: WEBHOOKS,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ cursor, id, source, eventId, eventType, status, receivedAt, proof })),
  }
}
