import { Buffer } from 'node:buffer'
import type { Cancel } from '../runtime/timers.ts'
import type { Announcement } from '../webhooks/live/announcement.ts'
import type { BusMessage, EventBus } from './bus.ts'
import { DEAD_DELIVERIES, OWN_NOTICES } from './destinations.ts'

interface Sources {
  readonly bus: EventBus
  onAnnouncement(listener: (announcement: Announcement) => void): Cancel
}

/** The bus with the messages for what is announced: to subscribed admins, or to the sessions of one account. */
export function announcing({ bus, onAnnouncement }: Sources): EventBus {
  return {
    publish: (messages) => bus.publish(messages),
    attach(listener) {
      const detach = bus.attach(listener)
      const ignore = onAnnouncement((announcement) => listener(messageOf(announcement)))
      return () => {
        detach()
        ignore()
      }
    },
  }
}

function messageOf(announcement: Announcement): BusMessage {
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
