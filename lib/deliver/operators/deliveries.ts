import { fail } from '../../errors.ts'
import { localOrNull, toLocalDateTime } from '../../runtime/time.ts'
import { type EventReader, eventKeyOf } from '../../webhooks/detail.ts'
import type { EventKey } from '../../webhooks/event.ts'
import { eventCursor } from '../../webhooks/operators/list.ts'
import type { DeliveredEvent, Delivery, ShownStatus } from '../delivery.ts'
import type { Destination } from '../destination.ts'
import { unmetBy } from '../match.ts'
import type { DeliveryDesk, HealthStore } from '../stores.ts'
import { type RequestFacts, shownMoves } from './attempts.ts'
import { findDestination } from './destinations.ts'
import { areDead, type LackingParts } from './lacking.ts'

export interface DeliveryListParts {
  readonly destinations: readonly Destination[]
  readonly desk: Pick<DeliveryDesk, 'of'>
  readonly health: Pick<HealthStore, 'all'>
  readonly events: Pick<EventReader, 'find'>
}

/**
 * The deliveries of an event with all that is known of their attempts, by destination, also of those that were removed; and
 * what keeps the event from the others.
 * @throws ServiceError `EVENT_NOT_FOUND`, `UNAVAILABLE`
 */
export async function listDeliveries(
  { destinations, desk, health, events }: DeliveryListParts,
  given: Partial<EventKey>,
) {
  const key = eventKeyOf(given)
  const [deliveries, stored] = await Promise.all([desk.of(key), events.find(key)])
  if (deliveries.length === 0 && stored === undefined) throw fail('EVENT_NOT_FOUND')
  const event: DeliveredEvent | undefined = stored?.payload && { ...stored, payload: stored.payload }
  const targetOf = (name: string) => destinations.find((one) => one.name === name)?.target
  const isAnyWaiting = deliveries.some(({ status }) => status === 'PENDING')
  const known = isAnyWaiting ? await health.all() : []
  const disabled = new Set(known.filter(({ state }) => state === 'DISABLED').map(({ destination }) => destination))
  const unmet = stored && unmetBy(stored)
  const others = destinations.filter(({ name }) => deliveries.every(({ destination }) => destination !== name))
  return {
    deliveries: deliveries.map((one) =>
      shownDelivery(one, disabled.has(one.destination), { event, target: targetOf(one.destination) }),
    ),
    others: others.map((one) => ({ destination: one.name, unmet: unmet?.(one) ?? [] })),
  }
}

/** Several values of one member are joined by "or". */
export interface DeliveryQuery {
  readonly state?: readonly ShownStatus[] | undefined
  readonly source?: readonly string[] | undefined
  readonly type?: readonly string[] | undefined
  /** The first and the last time at which an event was accepted, both inclusive. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

export interface DestinationDeliveryParts extends LackingParts {
  readonly destinations: readonly Destination[]
}

/** So many events are read at once, and at most for one page. */
const EVENTS = { atOnce: 100, most: 1000 }

/**
 * One page of the deliveries to a destination, the last accepted event first. The page may be shorter than the limit,
 * even empty, although more deliveries follow: the search for a rare state is bounded, except for dead ones.
 * @throws ServiceError `DESTINATION_NOT_FOUND`, `VALIDATION_FAILED` for a cursor of another filter, `UNAVAILABLE`
 */
export async function listDestinationDeliveries(
  { destinations, list, states, health }: DestinationDeliveryParts,
  given: string | undefined,
  { limit, cursor, state, ...filter }: DeliveryQuery,
) {
  const { name } = findDestination(destinations, given)
  const selection = { destination: name, state, ...filter }
  const events = state && areDead(state) ? states.dead(name) : list
  let after = eventCursor.read(selection, cursor)
  const isDisabled = (await health.read(name)).state === 'DISABLED'
  const found: Delivery[] = []
  for (let looked = 0; looked < EVENTS.most && found.length <= limit; looked += EVENTS.atOnce) {
    const page = await events.find(filter, after, EVENTS.atOnce)
    const deliveries = await states.of(page.events, name)
    found.push(...deliveries.filter((one) => state?.includes(shownStatus(one, isDisabled)) ?? true))
    after = page.next
    if (!after) break
  }
  const shown = found.slice(0, limit)
  const last = found.length > limit ? shown.at(-1) : after
  const summaries = await states.summaries(shown)
  return {
    deliveries: shown.map((one, index) => ({
      ...eventOf(one),
      summary: summaries[index] ?? null,
      ...shownDelivery(one, isDisabled),
    })),
    nextCursor: last ? eventCursor.of(selection, last) : null,
  }
}

function eventOf({ source, eventId, eventType, receivedAt }: Delivery) {
  return { source, eventId, type: eventType, receivedAt: toLocalDateTime(receivedAt) }
}

function shownStatus({ status }: Delivery, isDisabled: boolean): ShownStatus {
  return status === 'PENDING' && isDisabled ? 'PARKED' : status
}

/**
 * The delivery as operators see it: absent values are null, times are local date-times.
 * @param facts for the requests of its attempts
 */
export function shownDelivery(delivery: Delivery, isDisabled: boolean, facts?: RequestFacts) {
  const { destination, attempts, dueAt, deliveredAt, answer } = delivery
  return {
    destination,
    status: shownStatus(delivery, isDisabled),
    attempts,
    dueAt: localOrNull(dueAt),
    deliveredAt: localOrNull(deliveredAt),
    answer: answer ?? null,
    history: shownMoves(delivery, facts),
  }
}
