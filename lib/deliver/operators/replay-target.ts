import type { EventReader } from '../../webhooks/detail.ts'
import type { DeliverEvent } from '../../webhooks/operators/replay-steps.ts'
import type { Destination } from '../destination.ts'
import { destinationsFor } from '../match.ts'
import type { OrderedDelivery } from '../stores.ts'
import { deliveryOrders, type OrderParts } from './order.ts'

export interface ReplayTargetParts extends OrderParts {
  readonly destinations: readonly Destination[]
  readonly events: Pick<EventReader, 'head'>
}

/** How a replay delivers events: it counts the deliveries that it ordered, not how they end. */
export function replayTarget({ destinations, events, ...parts }: ReplayTargetParts): DeliverEvent {
  const orders = deliveryOrders(parts)

  return async (key, name, order) => {
    const destination = destinations.find((one) => one.name === name)
    const event = destination && (await events.head(key))
    if (destination === undefined || event === undefined || event.payloadDeletedAt) return 'failed'
    const again = await orders.again({ ...key, destination: name }, order)
    if (again.delivery) return restOf(again, order.replayId)
    if (destinationsFor([destination], event).length === 0) return 'unmeant'
    return restOf(await orders.first(event, name, order), order.replayId)
  }
}

/** An event that the same replay has ordered before counts as ordered; one under way can be ordered later. */
function restOf({ kind, delivery }: OrderedDelivery, replayId: string) {
  return kind === 'ordered' || delivery?.replayId === replayId ? 'done' : 'restless'
}
