import { Buffer } from 'node:buffer'
import type { Announcement } from '../webhooks/live/announcement.ts'
import type { BusMessage } from './bus.ts'

export const DEAD_DELIVERIES = '/topic/deliveries'
export const OWN_NOTICES = '/user/queue/notices'

/** What is announced, as a message to subscribed admins or to the sessions of one account. */
export function messageOf(announcement: Announcement): BusMessage {
  if (announcement.kind === 'order') {
    const { orderedBy: user, notice } = announcement
    return { destination: OWN_NOTICES, user, ...json(notice) }
  }
  const { kind: _, ...delivery } = announcement
  return { destination: DEAD_DELIVERIES, ...json(delivery) }
}

function json(body: object) {
  return { headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) }
}
