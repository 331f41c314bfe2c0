import type { Announced, Announcer } from './change-feed.ts'
import type { EventKey, EventStatus } from './event.ts'
import type { EventStore } from './inbox.ts'
import type { RetryStore } from './retry.ts'

/** The store, announcing each new event; one that was stored by an earlier try of the same call counts as new. */
export function announcing(events: EventStore, announcer: Announcer): EventStore {
  return {
    async insert(event, ...others) {
      const insertion = await events.insert(event, ...others)
      if (insertion.kind === 'inserted') announcer.announce(event)
      if (insertion.kind === 'present' && insertion.event.id === event.id) {
        announcer.announce({ ...event, status: insertion.event.status })
      }
      return insertion
    },
  }
}

/** More than one batch of the retry queue holds. */
const MAXIMUM_SEEN = 100

/** The store, announcing each run that ended; what its endings do not tell of an event is known from its claim. */
export function announcingRetries(store: RetryStore, announcer: Announcer): RetryStore {
  const seen = new Map<string, Announced>()

  function see(event: Announced | undefined): void {
    if (event) seen.set(nameOf(event), event)
    const [oldest] = seen.keys()
    if (seen.size > MAXIMUM_SEEN && oldest !== undefined) seen.delete(oldest)
  }

  function ended<T extends { readonly kind: string }>(key: EventKey, status: EventStatus, result: T): T {
    const event = seen.get(nameOf(key))
    if (result.kind === 'written' && event) announcer.announce({ ...event, status })
    if (result.kind !== 'blocked') seen.delete(nameOf(key))
    return result
  }

  return {
    ...store,
    async claim(claim) {
      const result = await store.claim(claim)
      see(result.event)
      return result
    },
    finish: async (claim, ...how) => ended(claim, 'PROCESSED', await store.finish(claim, ...how)),
    fail: async (claim, ...how) => ended(claim, 'FAILED', await store.fail(claim, ...how)),
    exhaust: async (hint, ...how) => ended(hint, 'FAILED', await store.exhaust(hint, ...how)),
  }
}

function nameOf({ source, eventId }: EventKey): string {
  return `${source}\0${eventId}`
}
