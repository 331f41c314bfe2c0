import type { Log } from '../../runtime/log.ts'
import type { Audit } from '../../webhooks/audit.ts'
import type { EventKey, WebhookEvent } from '../../webhooks/event.ts'
import { type Delivery, type DeliveryKey, deliveryHint } from '../delivery.ts'
import { type DeliveryQueue, scheduleDelivery } from '../queue.ts'
import type { DeliveryDesk, DeliveryOrder, OrderedDelivery } from '../stores.ts'

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
  async function told(result: OrderedDelivery, { user, reason }: DeliveryOrder): Promise<OrderedDelivery> {
    const { kind, delivery } = result
    if (kind === 'refused' || delivery === undefined) return result
    const { source, eventId, eventType, destination } = delivery
    audit.decided('redelivered', { source, eventId, eventType, destination, user, note: reason })
    await scheduleDelivery(queue, log, deliveryHint(delivery), 0)
    return result
  }

  return {
    /** @throws ServiceError `UNAVAILABLE` */
    async again(key: DeliveryKey, order: DeliveryOrder): Promise<OrderedDelivery> {
      return told(await desk.order(key, order), order)
    },

    /** For an event that was accepted before the destination was there. @throws ServiceError `UNAVAILABLE` */
    async first(event: DeliverableEvent, destination: string, order: DeliveryOrder): Promise<OrderedDelivery> {
      return told(await desk.create(newDelivery(event, destination, order), order), order)
    },
  }
}

function newDelivery(
  { id, source, eventId, eventType, receivedAt, endsAt = receivedAt }: DeliverableEvent,
  destination: string,
  { at, replayId }: DeliveryOrder,
): Delivery {
  const key = { source, eventId, destination }
  const state = { status: 'PENDING', attempts: 0, dueAt: at, orderedAt: at, replayId, history: [] } as const
  return { ...key, id, eventType, receivedAt, endsAt, ...state }
}
