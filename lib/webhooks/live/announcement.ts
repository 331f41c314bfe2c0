import type { Log } from '../../runtime/log.ts'
import type { Metrics } from '../../runtime/metrics.ts'
import { type Clock, toLocalDateTime } from '../../runtime/time.ts'
import type { EventHead, EventKey } from '../event.ts'
import type { Replay } from '../operators/replay.ts'
import type { RetryStore } from '../retry/worker.ts'

/** A message to listeners that is no change. It arrives once, twice or never; the stored record is the truth. */
export type Announcement = DeadDelivery | FailedEvent | OrderEnd

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

/** A delivery that was given up. */
export interface DeadDelivery extends EventKey {
  readonly kind: 'delivery'
  readonly destination: string
  readonly status: 'DEAD'
  /** The reason: a status, the class of an error, or a text of this service. */
  readonly answer: string
  /** A local date-time. */
  readonly at: string
}

export function deadDelivery(key: EventKey & { readonly destination: string }, answer: string, at: Date): DeadDelivery {
  const { source, eventId, destination } = key
  return { kind: 'delivery', source, eventId, destination, status: 'DEAD', answer, at: toLocalDateTime(at) }
}

/** An event that no attempt is left for. No listener hears of it: the change feed has it. */
export interface FailedEvent extends EventKey {
  readonly kind: 'event'
  readonly reason: string
}

export function failedEvent({ source, eventId, errorMessage: reason = '' }: EventHead): FailedEvent {
  return { kind: 'event', source, eventId, reason }
}

/** The end of a retry or a replay, for the person who ordered it. */
export interface OrderEnd {
  readonly kind: 'order'
  /** The id of that person's account. */
  readonly orderedBy: string
  readonly notice: RetryFinished | ReplayFinished
}

interface RetryFinished extends EventKey {
  readonly type: 'retry-finished'
  /** FAILED: no attempt is left. */
  readonly status: 'PROCESSED' | 'FAILED'
  /** A local date-time. */
  readonly at: string
}

interface ReplayFinished extends Pick<Replay, 'replayId' | 'matched' | 'done' | 'failed'> {
  readonly type: 'replay-finished'
  readonly state: 'DONE'
  /** A local date-time. */
  readonly at: string
}

/** @returns undefined while the event can still change, and for one whose last order names no account */
export function retryEnd({ source, eventId, status, dead, orderedBy }: EventHead, at: Date): OrderEnd | undefined {
  const isFinal = status === 'PROCESSED' || (status === 'FAILED' && dead)
  if (orderedBy === undefined || !isFinal) return undefined
  return {
    kind: 'order',
    orderedBy,
    notice: { type: 'retry-finished', source, eventId, status, at: toLocalDateTime(at) },
  }
}

/** @returns undefined for a replay whose order names no account */
export function replayEnd({ orderedBy, replayId, matched, done, failed }: Replay, at: Date): OrderEnd | undefined {
  if (orderedBy === undefined) return undefined
  const counts = { state: 'DONE', matched, done, failed } as const
  return { kind: 'order', orderedBy, notice: { type: 'replay-finished', replayId, ...counts, at: toLocalDateTime(at) } }
}

/** The store, which also announces each event that it ends, and who ordered the run. */
export function announcingRetries(store: RetryStore, announcer: Announcer): RetryStore {
  function ended<T extends { readonly kind: string }>(result: T, event: EventHead | undefined, at: Date): T {
    if (result.kind !== 'written' || !event) return result
    if (event.status === 'FAILED' && event.dead) announcer.announce(failedEvent(event))
    announceEnd(announcer, event, at)
    return result
  }

  return {
    ...store,
    async finish(claim, event, effects, at) {
      return ended(await store.finish(claim, event, effects, at), { ...event, status: 'PROCESSED' }, at)
    },
    async fail(claim, event, failure) {
      const { errorMessage, nextRetryAt } = failure
      const failed = { ...event, status: 'FAILED', dead: nextRetryAt === undefined, errorMessage } as const
      return ended(await store.fail(claim, event, failure), failed, failure.at)
    },
    async exhaust(hint, now, errorMessage) {
      const ending = await store.exhaust(hint, now, errorMessage)
      return ended(ending, ending.event, now)
    },
  }
}

/** Tells the user who ordered a run that its event is final. */
export function announceEnd(announcer: Announcer, event: EventHead, at: Date): void {
  const end = retryEnd(event, at)
  if (end) announcer.announce(end)
}
