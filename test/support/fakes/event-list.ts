import type { EventSummary } from '../../../lib/webhooks/detail.ts'
import type { WebhookEvent } from '../../../lib/webhooks/event.ts'
import { byPosition, type EventFilter, type EventList, finderOf } from '../../../lib/webhooks/operators/list.ts'

/** What each part of a filter demands of an event. */
const PARTS: { readonly [K in keyof EventFilter]-?: (event: WebhookEvent, wanted: unknown) => boolean } = {
  status: ({ status }, wanted) => [wanted].flat().includes(status),
  source: ({ source }, wanted) => [wanted].flat().includes(source),
  type: ({ eventType }, wanted) => [wanted].flat().includes(eventType),
  from: ({ receivedAt }, wanted) => receivedAt >= (wanted as Date),
  to: ({ receivedAt }, wanted) => receivedAt <= (wanted as Date),
  q: (event, wanted) => finderOf(String(wanted))?.(event) === true,
  dead: ({ dead }, wanted) => dead === wanted,
  held: ({ held }, wanted) => held === wanted,
  attention: ({ dead, held }) => dead || held === true,
}

/** Lists what `events` holds at the time of each call. */
export function memoryEventList(events: () => Iterable<WebhookEvent>): EventList {
  const matching = (filter: EventFilter) => [...events()].filter(matcherOf(filter))
  return {
    find: async (filter, after, limit) => {
      const found = matching(filter)
        .filter((event) => after === undefined || byPosition(event, after) > 0)
        .sort(byPosition)
      const page = found.slice(0, limit).map(toSummary)
      const last = page.at(-1)
      const next = last && { id: last.id, source: last.source, eventId: last.eventId }
      return { events: page, next: found.length > limit ? next : undefined }
    },
    count: async (filter) => matching(filter).length,
  }
}

/** Selects the events that match a filter. */
export function matcherOf(filter: EventFilter): (event: WebhookEvent) => boolean {
  const parts = Object.entries(filter) as [keyof EventFilter, unknown][]
  return (event) => parts.every(([name, wanted]) => wanted === undefined || PARTS[name](event, wanted))
}

function toSummary({ payload, payloadSha256, headers, history, owner, leaseUntil, ...summary }: WebhookEvent) {
  return summary satisfies EventSummary
}
