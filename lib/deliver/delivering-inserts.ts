import type { Log } from '../runtime/log.ts'
import type { WebhookEvent } from '../webhooks/event.ts'
import type { EventStore, NewRow } from '../webhooks/place.ts'
import { schedule } from '../work/hints.ts'
import { carriedOf, type DeliveryQueue } from './delivery.ts'
import type { Destination } from './destination.ts'
import { rowsFor } from './match.ts'

interface DeliveringParts {
  readonly destinations: readonly Destination[]
  readonly queue: DeliveryQueue
  readonly log: Log
  /** Takes note of an event that nothing can process. */
  readonly failed?: ((event: WebhookEvent) => Promise<void> | undefined) | undefined
}

/**
 * Wraps the store so that an event and its deliveries are stored together, and a hint is sent to each destination. A
 * lost hint is no failure: the scan finds the delivery.
 */
export function deliveringInserts(
  events: EventStore,
  { destinations, queue, log, failed }: DeliveringParts,
): EventStore {
  if (destinations.length === 0) return events

  return {
    ...events,
    async insert(event, effects, beside) {
      const deliverTo = rowsFor(destinations, event)
      const result = await events.insert(event, effects, deliverTo.length > 0 ? { ...beside, deliverTo } : beside)
      const isStored = result.kind === 'inserted' || (result.kind === 'present' && result.event.id === event.id)
      if (isStored) await wakeAll({ queue, log }, { event, deliverTo })
      if (isStored && event.dead && !event.held) await failed?.(event)
      return result
    },
  }
}

/** Sends the hints of the deliveries of a new event. */
export async function wakeAll(
  { queue, log }: Pick<DeliveringParts, 'queue' | 'log'>,
  { event, deliverTo }: { readonly event: WebhookEvent; readonly deliverTo: readonly NewRow[] },
): Promise<void> {
  const { source, eventId } = event
  const carried = carriedOf(event)
  await Promise.all(
    deliverTo.map(({ destination }) => schedule(queue, log, { source, eventId, destination, n: 0, carried }, 0)),
  )
}
