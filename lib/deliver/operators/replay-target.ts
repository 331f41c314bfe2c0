import type { EventReader } from '../../webhooks/detail.ts'
import type { OrderEvent } from '../../webhooks/operators/replay-job.ts'
import type { Destination } from '../destination.ts'
import { destinationsFor } from '../match.ts'
import { deliveryOrders, type OrderParts } from './order.ts'

export interface ReplayTargetParts extends OrderParts {
  readonly destinations: readonly Destination[]
  readonly events: Pick<EventReader, 'head'>
}

/**
 * How a replay delivers events: all that its destination had, and those that it would have had. One that is under way is on
 * its way already.
 */
export function replayTarget({ destinations, events, ...parts }: ReplayTargetParts): OrderEvent {
  const orders = deliveryOrders(parts)

  return async (key, order, name) => {
    const destination = destinations.find((one) => one.name === name)
    const event = destination && (await events.head(key))
    if (destination === undefined || event === undefined || event.payloadDeletedAt) return
    const { delivery } = await orders.again({ ...key, destination: destination.name }, order)
    if (delivery || destinationsFor([destination], event).length === 0) return
    await orders.first(event, destination.name, order)
  }
}
