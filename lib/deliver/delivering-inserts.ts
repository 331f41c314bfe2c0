import type { Log } from '../runtime/log.ts'
import type { WebhookEvent } from '../webhooks/event.ts'
import type { EventStore } from '../webhooks/place.ts'
import { schedule } from '../work/hints.ts'
import { type CarriedEvent, carriedOf, type DeliveryQueue } from './delivery.ts'
import type { Destination } from './destination.ts'
import { leaseOf } from './destination.ts'
import { newDestinationsFor } from './match.ts'

interface DeliveringParts {
  readonly destinations: readonly Destination[]
  readonly queue: DeliveryQueue
  readonly log: Log
}

/**
 * Wraps the store so that an event and its deliveries are stored together, and a hint is sent to each destination. A
 * lost hint is no failure: the scan finds the delivery.
 */
export function deliveringInserts(events: EventStore, { destinations, queue, log }: DeliveringParts): EventStore {
  if (destinations.length === 0) return events

  const wake = (event: WebhookEvent, carried: CarriedEvent | undefined, destination: string) => {
    const { source, eventId } = event
    return schedule(queue, log, { source, eventId, destination, n: 0, carried }, 0)
  }

  return {
    ...events,
    async insert(event, effects, beside) {
      const matching = newDestinationsFor(destinations, event)
      if (matching.length === 0) return events.insert(event, effects, beside)
      const deliverTo = matching.map((destination) => ({
        destination: destination.name,
        sweepAt: new Date(event.receivedAt.getTime() + leaseOf(destination)),
      }))
      const result = await events.insert(event, effects, { ...beside, deliverTo })
      const isStored = result.kind === 'inserted' || (result.kind === 'present' && result.event.id === event.id)
      if (!isStored) return result
      const carried = carriedOf(event)
      await Promise.all(matching.map(({ name }) => wake(event, carried, name)))
      return result
    },
  }
}
