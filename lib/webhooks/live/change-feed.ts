import type { Clock } from '../../runtime/clock.ts'
import { namedIdAt } from '../../runtime/ids.ts'
import { toLocalDateTime } from '../../runtime/local-date-time.ts'
import type { Log } from '../../runtime/log.ts'
import type { Metrics } from '../../runtime/metrics.ts'
import { type ShownProof, shownProof } from '../detail.ts'
import type { EventKey, WebhookEvent } from '../event.ts'
import type { Announcement, Announcer } from './announcement.ts'

/** A published change of an event: enough to name and to show the event, never its payload. */
export interface EventChange {
  /** Decimal: the event's own id after the intake, that of {@link changeIdOf} after later changes. */
  readonly changeId: string
  /** Decimal. */
  readonly id: string
  readonly source: string
  readonly eventId: string
  readonly eventType: string
  readonly status: string
  /** A local date-time, as in the record. */
  readonly receivedAt: string
  /** As in the record; absent from hints of older versions. */
  readonly proof?: ShownProof | undefined
}

/** Publishes to listeners. The store is the truth: it also has the content of a lost message. */
export interface ChangeFeed {
  /** @throws any error that kept the message from being sent */
  publish(message: EventChange | Announcement): Promise<void>
}

/** The fields of a changed event that its publisher needs. */
export interface ChangedEvent
  extends Pick<WebhookEvent, 'id' | 'source' | 'eventId' | 'eventType' | 'status' | 'receivedAt' | 'proof'> {
  readonly changeId: bigint
}

/** The position of a later change of an event in the order of all changes: by its time, to the millisecond. */
export function changeIdOf({ source, eventId }: EventKey, at: Date): bigint {
  return namedIdAt(at.getTime(), `${source}\0${eventId}`)
}

/** Receives each completed write; the writer does not wait. */
export interface ChangePublisher {
  publishChange(event: ChangedEvent): void
}

interface ChangePublisherParts {
  readonly feed: ChangeFeed
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Log
}

export interface DrainableChangePublisher extends ChangePublisher, Announcer {
  /** Settles when every hint so far is sent or lost. It must settle before the platform freezes the process. */
  drained(): Promise<void>
}

/** Minimum time between log lines, because a feed that is down would fill the log. A metric counts the lost hints. */
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

  function publish(message: EventChange | Announcement): void {
    const sending = Promise.try(() => feed.publish(message))
      .catch(lost)
      .finally(() => pending.delete(sending))
    pending.add(sending)
  }

  return {
    publishChange: (event) => publish(changeOf(event)),
    announce: publish,
    async drained() {
      await Promise.all(pending)
    },
  }
}

function changeOf({ changeId, id, source, eventId, eventType, status, receivedAt, proof }: ChangedEvent): EventChange {
  return {
    changeId: changeId.toString(),
    id: id.toString(),
    source,
    eventId,
    eventType,
    status,
    receivedAt: toLocalDateTime(receivedAt),
    proof: shownProof(proof),
  }
}
