import type { ChangeFeed, ChangePublisher, EventChange } from '../../../lib/webhooks/live/change-feed.ts'

/** Keeps what was published, unless it is down. */
export class MemoryFeed implements ChangeFeed {
  readonly published: EventChange[] = []
  isDown = false

  async publish(change: EventChange): Promise<void> {
    if (this.isDown) throw new Error('the topic is down')
    this.published.push(change)
  }
}

/** Keeps `source/eventId status` of what was announced. */
export function recordingAnnouncer(): ChangePublisher & { readonly announced: readonly string[] } {
  const announced: string[] = []
  return {
    announced,
    publishChange: ({ source, eventId, status }) => void announced.push(`${source}/${eventId} ${status}`),
  }
}
