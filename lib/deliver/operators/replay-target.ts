import type { EventReader } from '../../webhooks/detail.ts'
import type { DeliverEvent } from '../../webhooks/operators/replay-steps.ts'
import type { Destination } from '../destination.ts'
import { destinationsFor } from '../match.ts'
import type { OrderedDelivery } from '../stores.ts'
import { deliveryOrders, type OrderParts } from './order.ts'

export interface ReplayTargetParts extends OrderParts {
  readonly destinations: readonly Destination[]
  readonly events: Pick<EventReader, 'find'>
}

/** How a replay delivers events: it counts those whose delivery it ordered, not what becomes of them. */
export function replayTarget({ destinations, events, ...parts }: ReplayTargetParts): DeliverEvent {
  const orders = deliveryOrders(parts)

  /** For an event that has no delivery there. */
  async function first(destination: Destination, ...[key, name, order]: Parameters<DeliverEvent>) {
    const event = await events.find(key)
    if (event === undefined) return 'failed'
    if (destinationsFor([destination], event).length === 0) return 'unmeant'
    return restOf(await orders.first(event, name, order), order.replayId)
  }

  return async (key, name, order) => {
    const destination = destinations.find((one) => one.name === name)
    if (destination === undefined) return 'failed'
    const again = await orders.again({ ...key, destination: name }, order)
    return again.delivery ? restOf(again, order.replayId) : first(destination, key, name, order)
  }
}

/** What was ordered by the same replay before needs no other order; what is under way can be ordered later. */
function restOf({ kind, delivery }: OrderedDelivery, replayId: string) {
  return kind === 'ordered' || delivery?.replayId === replayId ? 'done' : 'restless'
}
