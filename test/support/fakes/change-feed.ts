import type { Announcement, Announcer } from '../../../lib/webhooks/live/announcement.ts'
import type { ChangeFeed, ChangePublisher, EventChange } from '../../../lib/webhooks/live/change-feed.ts'

/** Keeps what was published, unless it is down. */
export class MemoryFeed implements ChangeFeed {
  readonly published: (EventChange | Announcement)[] = []
  isDown = false

  async publish(message: EventChange | Announcement): Promise<void> {
    if (this.isDown) throw new Error('the topic is down')
    this.published.push(message)
  }
}

/** Keeps `source/eventId status` of what was announced, and what was announced besides changes. */
export function recordingAnnouncer() {
  const announced: string[] = []
  const told: Announcement[] = []
  const publisher: ChangePublisher & Announcer = {
    announce: (announcement) => void told.push(announcement),
    publishChange: ({ source, eventId, status }) => void announced.push(`${source}/${eventId} ${status}`),
  }
  return { announced, told, drained: async () => undefined, ...publisher }
}
