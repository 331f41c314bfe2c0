import { fail } from '../../errors.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/time.ts'
import type { Audit } from '../../webhooks/audit.ts'
import { type EventReader, eventKeyOf } from '../../webhooks/detail.ts'
import type { EventHead, EventKey, WebhookEvent } from '../../webhooks/event.ts'
import type { OrderEvent } from '../../webhooks/operators/replay-job.ts'
import { schedule } from '../../work/hints.ts'
import { type Delivery, type DeliveryKey, type DeliveryQueue, deliveryHint, sentAtOf } from '../delivery.ts'
import { type Destination, doubtOf } from '../destination.ts'
import { destinationsFor } from '../match.ts'
import type { DeliveryDesk, DeliveryOrder, HealthStore, OrderedDelivery } from '../stores.ts'
import { shownDelivery } from './deliveries.ts'
import { findDestination } from './destinations.ts'
import { statusesOf } from './lacking.ts'

export interface OrderParts {
  readonly desk: Pick<DeliveryDesk, 'order' | 'create'>
  readonly queue: DeliveryQueue
  readonly audit: Audit
  readonly log: Log
}

/** The facts of an event that its deliveries repeat. */
type DeliverableEvent = EventKey & Pick<WebhookEvent, 'id' | 'eventType' | 'receivedAt' | 'endsAt'>

/** Orders of operators: each is audited, and wakes the worker of the destination. */
export function deliveryOrders({ desk, queue, audit, log }: OrderParts) {
  async function audited(result: OrderedDelivery, { user, reason }: DeliveryOrder): Promise<OrderedDelivery> {
    const { kind, delivery } = result
    if (kind === 'refused' || delivery === undefined) return result
    const { source, eventId, eventType, destination } = delivery
    audit.decided('redelivered', { source, eventId, eventType, destination, user, note: reason })
    await schedule(queue, log, deliveryHint(delivery), 0)
    return result
  }

  return {
    /** @throws ServiceError `UNAVAILABLE` */
    async again(key: DeliveryKey, order: DeliveryOrder): Promise<OrderedDelivery> {
      return audited(await desk.order(key, order), order)
    },

    /** For an event that was accepted before the destination was there. @throws ServiceError `UNAVAILABLE` */
    async first(event: DeliverableEvent, destination: string, order: DeliveryOrder): Promise<OrderedDelivery> {
      return audited(await desk.create(newDelivery(event, destination, order), order), order)
    },
  }
}

/** A delivery that an operator orders. */
export function newDelivery(
  { id, source, eventId, eventType, receivedAt, endsAt = receivedAt }: DeliverableEvent,
  destination: string,
  { at, user, reason, replayId }: DeliveryOrder,
): Delivery {
  const key = { source, eventId, destination }
  const history = [{ at, status: 'PENDING', user, reason }] as const
  const state = { status: 'PENDING', attempts: 0, dueAt: at, orderedAt: at, replayId, history } as const
  return { ...key, id, eventType, receivedAt, endsAt, ...state }
}

export interface RedeliveryParts extends OrderParts {
  readonly destinations: readonly Destination[]
  readonly events: Pick<EventReader, 'head'>
  readonly health: Pick<HealthStore, 'read'>
  readonly clock: Clock
}

/**
 * Delivers an event to a destination now, whatever its state there, and whatever events the destination subscribes to.
 * @returns the delivery before that try, as operators see it, and why the try may have no effect
 * @throws ServiceError `EVENT_NOT_FOUND`, `DESTINATION_NOT_FOUND`, `PAYLOAD_MISSING`, `EVENT_HELD`,
 * `DELIVERY_UNDER_WAY`, `UNAVAILABLE`
 */
export async function redeliver(
  parts: RedeliveryParts,
  given: Partial<DeliveryKey>,
  command: Pick<DeliveryOrder, 'user' | 'reason'>,
) {
  const key = eventKeyOf(given)
  const { name: destination, target } = findDestination(parts.destinations, given.destination)
  const event = await parts.events.head(key)
  if (event === undefined) throw fail('EVENT_NOT_FOUND')
  if (event.payloadDeletedAt) throw fail('PAYLOAD_MISSING')
  const { state } = await parts.health.read(destination)
  const orders = deliveryOrders(parts)
  const order = { ...command, at: parts.clock.now() }
  const again = await orders.again({ ...key, destination }, order)
  if (!again.delivery && event.held) throw fail('EVENT_HELD')
  const { kind, delivery } = again.delivery ? again : await orders.first(event, destination, order)
  if (kind === 'refused' || delivery === undefined) throw fail('DELIVERY_UNDER_WAY')
  const note = doubtOf(target, sentAtOf(delivery), order.at) ?? null
  return { ...shownDelivery(delivery, state === 'DISABLED'), note }
}

export interface ReplayTargetParts extends OrderParts {
  readonly destinations: readonly Destination[]
  readonly events: Pick<EventReader, 'head' | 'find'>
  readonly health: Pick<HealthStore, 'read'>
}

/**
 * How a replay delivers events: all that its destination had, or those in one of the states that its filter names, and
 * without such states also those that it would have had. A delivery that is under way is left alone.
 */
export function replayTarget({ destinations, events, health, ...parts }: ReplayTargetParts): OrderEvent {
  const orders = deliveryOrders(parts)

  async function wouldHave(event: EventHead, destination: Destination): Promise<boolean> {
    const whole = destination.where ? await events.find(event) : event
    return whole !== undefined && destinationsFor([destination], { payload: undefined, ...whole }).length > 0
  }

  return async (key, order, { destination: name, filter: { delivery: states } }) => {
    const destination = destinations.find((one) => one.name === name)
    const event = destination && (await events.head(key))
    if (destination === undefined || event === undefined || event.payloadDeletedAt) return
    const statuses = states && (await statusesOf(states, destination.name, health))
    const { delivery } = await orders.again({ ...key, destination: destination.name }, { ...order, statuses })
    if (delivery || states || event.held || !(await wouldHave(event, destination))) return
    await orders.first(event, destination.name, order)
  }
}
