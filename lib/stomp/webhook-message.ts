import { Buffer } from 'node:buffer'
import type { BusMessage } from '../messages/bus.ts'
import { changeBody } from '../webhooks/live/change-body.ts'
import type { Notice } from '../webhooks/live/feed.ts'
import { WEBHOOKS } from './destinations.ts'

/** Encoded once, because one notice is sent to many sessions. */
const messages = new WeakMap<Notice, BusMessage>()

/** The message that a subscribed admin gets for a changed webhook event. */
export function webhookMessage(notice: Notice): BusMessage {
  const message = messages.get(notice) ?? messageOf(notice)
  messages.set(notice, message)
  return message
}

function messageOf(notice: Notice): BusMessage {
  return {
    destination: WEBHOOKS,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(changeBody(notice)),
  }
}
