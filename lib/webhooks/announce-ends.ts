import type { EventHead, EventKey } from './event.ts'
import type { Announcer } from './live/announcement.ts'
import { retryEnd } from './live/announcement.ts'
import type { RetryStore } from './retry/worker.ts'

/** Maximum number of remembered refusals: more than one batch of the retry queue holds. */
const MAXIMUM_REFUSED = 100

/** Wraps the store so that it tells who ordered a run that it ended. */
export function announcingRetries(store: RetryStore, announcer: Announcer): RetryStore {
  /** Events whose claim was refused: the store refuses the claim of an event just before it is exhausted. */
  const refused = new Map<string, EventHead>()

  function remember(event: EventHead): void {
    refused.set(nameOf(event), event)
    const [oldest] = refused.keys()
    if (refused.size > MAXIMUM_REFUSED && oldest !== undefined) refused.delete(oldest)
  }

  function ended<T extends { readonly kind: string }>(result: T, event: EventHead | undefined, at: Date): T {
    if (result.kind === 'written' && event) announceEnd(announcer, event, at)
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

/** Tells the user who ordered a run that its event is final. */
export function announceEnd(announcer: Announcer, event: EventHead, at: Date): void {
  const end = retryEnd(event, at)
  if (end) announcer.announce(end)
}

function nameOf({ source, eventId }: EventKey): string {
  return `${source}\0${eventId}`
}
