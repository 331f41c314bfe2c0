import { localOrNull, toLocalDateTime } from '../../runtime/local-date-time.ts'
import { type EventReader, eventKeyOf, findEvent } from '../../webhooks/detail.ts'
import type { EventKey } from '../../webhooks/event.ts'
import type { Delivery, DeliveryStatus } from '../delivery.ts'
import type { DeliveryDesk, HealthStore } from '../stores.ts'

export interface DeliveryListParts {
  readonly desk: Pick<DeliveryDesk, 'of'>
  readonly health: Pick<HealthStore, 'all'>
  readonly events: Pick<EventReader, 'find'>
}

/** A delivery that waits for its destination to be enabled is PARKED. */
export type ShownStatus = DeliveryStatus | 'PARKED'

/**
 * The deliveries of an event, by destination, also of those that were removed.
 * @throws ServiceError `EVENT_NOT_FOUND`, `UNAVAILABLE`
 */
export async function listDeliveries({ desk, health, events }: DeliveryListParts, given: Partial<EventKey>) {
  const key = eventKeyOf(given)
  const deliveries = await desk.of(key)
  if (deliveries.length === 0) await findEvent(events, key)
  const isAnyWaiting = deliveries.some(({ status }) => status === 'PENDING')
  const known = isAnyWaiting ? await health.all() : []
  const disabled = new Set(known.filter(({ state }) => state === 'DISABLED').map(({ destination }) => destination))
  return deliveries.map((one) => shownDelivery(one, disabled.has(one.destination)))
}

/** The delivery as operators see it: absent values are null, times are local date-times. */
export function shownDelivery(delivery: Delivery, isDisabled: boolean) {
  const { destination, status, attempts, dueAt, deliveredAt, answer, history } = delivery
  return {
    destination,
    status: (status === 'PENDING' && isDisabled ? 'PARKED' : status) satisfies ShownStatus as ShownStatus,
    attempts,
    dueAt: localOrNull(dueAt),
    deliveredAt: localOrNull(deliveredAt),
    answer: answer ?? null,
    history: history.map((move) => ({
      at: toLocalDateTime(move.at),
      status: move.status,
      answer: move.answer ?? null,
      user: move.user ?? null,
      reason: move.reason ?? null,
    })),
  }
}
