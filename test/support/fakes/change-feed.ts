import type { ChangeFeed, ChangePublisher, EventChange } from '../../../lib/webhooks/live/change-feed.ts'
import type { DeadDelivery, DeathPublisher } from '../../../lib/webhooks/live/dead-delivery.ts'

/** Keeps what was published, unless it is down. */
export class MemoryFeed implements ChangeFeed {
  readonly published: (EventChange | DeadDelivery)[] = []
  isDown = false

  async publish(change: EventChange | DeadDelivery): Promise<void> {
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

/** Keeps the deliveries that were given up. */
export function recordingDeaths(): DeathPublisher & {
  readonly told: readonly DeadDelivery[]
  drained(): Promise<void>
} {
  const told: DeadDelivery[] = []
  return { told, publishDeath: (delivery) => void told.push(delivery), drained: async () => undefined }
}
