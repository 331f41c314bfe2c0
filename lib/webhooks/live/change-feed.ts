import type { Clock } from '../../runtime/clock.ts'
import { namedIdAt } from '../../runtime/ids.ts'
import { toLocalDateTime } from '../../runtime/local-date-time.ts'
import type { Log } from '../../runtime/log.ts'
import type { Metrics } from '../../runtime/metrics.ts'
import type { EventKey, WebhookEvent } from '../event.ts'

/** What is told of an event that changed: enough to name it and to show it, never what it carried. */
export interface EventChange {
  /** Decimal: the event's own id at first, later that of {@link changeIdOf}. */
  readonly changeId: string
  /** Decimal. */
  readonly id: string
  readonly source: string
  readonly eventId: string
  readonly eventType: string
  readonly status: string
  /** A local date-time, as on the record. */
  readonly receivedAt: string
}

/** Carries changes to whoever listens. The store is the truth: a change that gets lost is found there. */
export interface ChangeFeed {
  /** @throws whatever kept the change from going out */
  publish(change: EventChange): Promise<void>
}

/** What is known of an event that changed. */
export interface ChangedEvent
  extends Pick<WebhookEvent, 'id' | 'source' | 'eventId' | 'eventType' | 'status' | 'receivedAt'> {
  readonly changeId: bigint
}

/** Where a later change of an event stands in the order of all: by its time, to the millisecond. */
export function changeIdOf({ source, eventId }: EventKey, at: Date): bigint {
  return namedIdAt(at.getTime(), `${source}\0${eventId}`)
}

/** Told of each write that was made; whoever made it does not wait. */
export interface ChangePublisher {
  publishChange(event: ChangedEvent): void
}

interface ChangePublisherParts {
  readonly feed: ChangeFeed
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Log
}

export interface DrainableChangePublisher extends ChangePublisher {
  /** Settles when every hint so far is out or lost; it has to, before the platform freezes the process. */
  drained(): Promise<void>
}

/** A feed that is down would fill the log; the number of lost hints is a metric. */
const LOG_PAUSE_MS = 60_000

export function createChangePublisher({ feed, metrics, clock, log }: ChangePublisherParts): DrainableChangePublisher {
  const pending = new Set<Promise<void>>()
  let silentUntil = 0

  function lost(cause: unknown): void {
    metrics.count('FeedHintLost')
    const now = clock.now().getTime()
    if (now < silentUntil) return
    silentUntil = now + LOG_PAUSE_MS
    log.warn('change hint lost, the store has the event', { cause })
  }

  return {
    publishChange(event) {
      const sending = Promise.try(() => feed.publish(changeOf(event)))
        .catch(lost)
        .finally(() => pending.delete(sending))
      pending.add(sending)
    },
    async drained() {
      await Promise.all(pending)
    },
  }
}

function changeOf({ changeId, id, source, eventId, eventType, status, receivedAt }: ChangedEvent): EventChange {
  return {
    changeId: changeId.toString(),
    id: id.toString(),
    source,
    eventId,
    eventType,
    status,
    receivedAt: toLocalDateTime(receivedAt),
  }
}
