import { fail } from '../../errors.ts'
import type { Clock } from '../../runtime/clock.ts'
import { type EventReader, eventKeyOf } from '../../webhooks/detail.ts'
import type { DeliveryKey } from '../delivery.ts'
import type { Destination } from '../destination.ts'
import type { DeliveryOrder, HealthStore } from '../stores.ts'
import { shownDelivery } from './deliveries.ts'
import { findDestination } from './destinations.ts'
import { deliveryOrders, type OrderParts } from './order.ts'

export interface RedeliveryParts extends OrderParts {
  readonly destinations: readonly Destination[]
  readonly events: Pick<EventReader, 'head'>
  readonly health: Pick<HealthStore, 'read'>
  readonly clock: Clock
}

/**
 * Delivers an event to a destination now, whatever its state there, and whatever events the destination subscribes to.
 * @returns the delivery before that try, as operators see it
 * @throws ServiceError `EVENT_NOT_FOUND`, `DESTINATION_NOT_FOUND`, `PAYLOAD_MISSING`, `DELIVERY_UNDER_WAY`,
 * `UNAVAILABLE`
 */
export async function redeliver(
  parts: RedeliveryParts,
  given: Partial<DeliveryKey>,
  command: Pick<DeliveryOrder, 'user' | 'reason'>,
) {
  const key = eventKeyOf(given)
  const { name: destination } = findDestination(parts.destinations, given.destination)
  const event = await parts.events.head(key)
  if (event === undefined) throw fail('EVENT_NOT_FOUND')
  if (event.payloadDeletedAt) throw fail('PAYLOAD_MISSING')
  const { state } = await parts.health.read(destination)
  const orders = deliveryOrders(parts)
  const order = { ...command, at: parts.clock.now() }
  const again = await orders.again({ ...key, destination }, order)
  const { kind, delivery } = again.delivery ? again : await orders.first(event, destination, order)
  if (kind === 'refused' || delivery === undefined) throw fail('DELIVERY_UNDER_WAY')
  return shownDelivery(delivery, state === 'DISABLED')
}
