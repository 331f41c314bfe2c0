import type { EventHead, EventKey } from './event.ts'
import type { Announcer } from './live/announcement.ts'
import { type ChangePublisher, changeIdOf } from './live/change-feed.ts'
import { retryEnd } from './live/order-end.ts'
import type { EventStore } from './place.ts'
import type { RetryStore } from './retry/worker.ts'

/**
 * Wraps the store so that it publishes each new event; one that an earlier try of the same call stored counts as new.
 */
export function publishingInserts(events: EventStore, publisher: ChangePublisher): EventStore {
  return {
    ...events,
    async insert(event, ...how) {
      const insertion = await events.insert(event, ...how)
      const changed = { ...event, changeId: event.id }
      if (insertion.kind === 'inserted') publisher.publishChange(changed)
      if (insertion.kind === 'present' && insertion.event.id === event.id) {
        publisher.publishChange({ ...changed, status: insertion.event.status })
      }
      return insertion
    },
  }
}

/** Maximum number of remembered refusals: more than one batch of the retry queue holds. */
const MAXIMUM_REFUSED = 100

/** Wraps the store so that it publishes each run that ended; a run that is given back leaves the event as it was. */
export function publishingRetries(store: RetryStore, publisher: ChangePublisher & Announcer): RetryStore {
  /** Events whose claim was refused: the store refuses the claim of an event just before it is exhausted. */
  const refused = new Map<string, EventHead>()

  function remember(event: EventHead): void {
    refused.set(nameOf(event), event)
    const [oldest] = refused.keys()
    if (refused.size > MAXIMUM_REFUSED && oldest !== undefined) refused.delete(oldest)
  }

  function ended<T extends { readonly kind: string }>(result: T, event: EventHead | undefined, at: Date): T {
    if (result.kind === 'written' && event) publishEnd(publisher, event, at)
    return result
  }

  return {
    ...store,
    async claim(claim) {
      const result = await store.claim(claim)
      if (result.kind === 'refused' && result.event) remember(result.event)
      return result
    },
    async finish(claim, event, effects, at) {
      return ended(await store.finish(claim, event, effects, at), { ...event, status: 'PROCESSED' }, at)
    },
    async fail(claim, event, failure) {
      const failed = { ...event, status: 'FAILED', dead: failure.nextRetryAt === undefined } as const
      return ended(await store.fail(claim, event, failure), failed, failure.at)
    },
    async exhaust(hint, now, errorMessage) {
      const event = refused.get(nameOf(hint))
      const ending = await store.exhaust(hint, now, errorMessage)
      return ended(ending, event && { ...event, status: 'FAILED', dead: true }, now)
    },
  }
}

/** Publishes the state of an event after a run. If that is final, it also notifies the user who ordered the run. */
export function publishEnd(publisher: ChangePublisher & Announcer, event: EventHead, at: Date): void {
  publisher.publishChange({ ...event, changeId: changeIdOf(event, at) })
  const end = retryEnd(event, at)
  if (end) publisher.announce(end)
}

function nameOf({ source, eventId }: EventKey): string {
  return `${source}\0${eventId}`
}
