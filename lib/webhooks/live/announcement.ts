import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Metrics } from '../../runtime/metrics.ts'
import type { DeadDelivery } from './dead-delivery.ts'
import type { OrderEnd } from './order-end.ts'

/** A message to listeners that is no change. It arrives once, twice or never; the stored record is the truth. */
export type Announcement = DeadDelivery | OrderEnd

/** Takes each announcement; the writer does not wait. */
export interface Announcer {
  announce(announcement: Announcement): void
}

interface AnnouncerParts {
  /** Rejects with any error that kept the announcement from being sent. */
  readonly publish: (announcement: Announcement) => Promise<void>
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Log
}

export interface DrainableAnnouncer extends Announcer {
  /** Settles when every announcement so far is sent or lost. It must settle before the platform freezes the process. */
  drained(): Promise<void>
}

/** Minimum time between log lines, because a table that is down would fill the log. A metric counts what is lost. */
const LOG_PAUSE_MS = 60_000

export function createAnnouncer({ publish, metrics, clock, log }: AnnouncerParts): DrainableAnnouncer {
  const pending = new Set<Promise<void>>()
  let silentUntil = 0

  function lost(cause: unknown): void {
    metrics.count('AnnouncementLost')
    const now = clock.now().getTime()
    if (now < silentUntil) return
    silentUntil = now + LOG_PAUSE_MS
    log.warn('announcement lost', { cause })
  }

  return {
    announce(announcement) {
      const sending = Promise.try(() => publish(announcement))
        .catch(lost)
        .finally(() => pending.delete(sending))
      pending.add(sending)
    },
    async drained() {
      await Promise.all(pending)
    },
  }
}
