import type { WebhookEvent } from '../../../lib/webhooks/event.ts'
import type { CountedEvents } from '../../../lib/webhooks/operators/counts.ts'
import { matcherOf } from './event-list.ts'

/** Counts what `events` holds at the time of each call. */
export function memoryCountedEvents(events: () => Iterable<WebhookEvent>): CountedEvents {
  return {
    async look(filter, most) {
      const { from, to } = filter
      const inTime = [...events()].filter(matcherOf({ from, to })).sort((one, other) => Number(other.id - one.id))
      const found = inTime.slice(0, most).filter(matcherOf(filter))
      const counted = found.map(({ source, status, dead, receivedAt }) => ({ source, status, dead, receivedAt }))
      return { found: counted, isComplete: inTime.length <= most }
    },
  }
}
