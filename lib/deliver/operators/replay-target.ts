import type { EventReader } from '../../webhooks/detail.ts'
import type { OrderEvent } from '../../webhooks/operators/replay-job.ts'
import type { Destination } from '../destination.ts'
import { destinationsFor } from '../match.ts'
import type { HealthStore } from '../stores.ts'
import { statusesOf } from './lacking.ts'
import { deliveryOrders, type OrderParts } from './order.ts'

export interface ReplayTargetParts extends OrderParts {
  readonly destinations: readonly Destination[]
  readonly events: Pick<EventReader, 'head'>
  readonly health: Pick<HealthStore, 'read'>
}

/**
 * How a replay delivers events: all that its destination had, or those in one of the states that its filter names, and
 * without such states also those that it would have had. A delivery that is under way is left alone.
 */
export function replayTarget({ destinations, events, health, ...parts }: ReplayTargetParts): OrderEvent {
  const orders = deliveryOrders(parts)

  return async (key, order, { destination: name, filter: { delivery: states } }) => {
    const destination = destinations.find((one) => one.name === name)
    const event = destination && (await events.head(key))
    if (destination === undefined || event === undefined || event.payloadDeletedAt) return
    const statuses = states && (await statusesOf(states, destination.name, health))
    const { delivery } = await orders.again({ ...key, destination: destination.name }, { ...order, statuses })
    if (delivery || states || destinationsFor([destination], event).length === 0) return
    await orders.first(event, destination.name, order)
  }
}
