import { fail } from '../../errors.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/time.ts'
import type { Audit } from '../../webhooks/audit.ts'
import { type EventReader, eventKeyOf } from '../../webhooks/detail.ts'
import { type EventHead, type EventKey, hintOf, type RetryHint } from '../../webhooks/event.ts'
import type { RetryCommand } from '../../webhooks/operators/reset.ts'
import { type HintQueue, schedule } from '../../work/hints.ts'
import { type Delivery, type DeliveryHint, deliveryHint } from '../delivery.ts'
import type { Destination } from '../destination.ts'
import { destinationsFor } from '../match.ts'
import type { DeliveryDesk } from '../stores.ts'
import { newDelivery } from './order.ts'

export interface HeldEvents {
  /**
   * RECEIVED and held → RECEIVED and due at once, together with new deliveries. False for any other event, and for one
   * whose payload was deleted.
   * @throws ServiceError `UNAVAILABLE`
   */
  release(event: EventKey, order: RetryCommand, deliveries: readonly Delivery[]): Promise<boolean>
}

export interface ReleaseParts {
  readonly events: Pick<EventReader, 'find'>
  readonly held: HeldEvents
  readonly desk: Pick<DeliveryDesk, 'of'>
  readonly destinations: readonly Destination[]
  readonly queue: HintQueue<RetryHint>
  readonly deliveryQueue: HintQueue<DeliveryHint>
  readonly clock: Clock
  readonly audit: Audit
  readonly log: Log
}

/**
 * Lets everything act on a held event as if it had just been accepted. Its marks stay.
 * @returns the event before its run
 * @throws ServiceError `EVENT_NOT_FOUND`, `EVENT_NOT_HELD`, `PAYLOAD_MISSING`, `UNAVAILABLE`
 */
export async function releaseNow(
  { events, held: heldEvents, desk, destinations, queue, deliveryQueue, clock, audit, log }: ReleaseParts,
  given: Partial<EventKey>,
  command: Pick<RetryCommand, 'user' | 'orderedBy' | 'reason'>,
): Promise<EventHead> {
  const key = eventKeyOf(given)
  const event = await events.find(key)
  if (event === undefined) throw fail('EVENT_NOT_FOUND')
  if (!event.held) throw fail('EVENT_NOT_HELD')
  if (event.payloadDeletedAt) throw fail('PAYLOAD_MISSING')
  const order = { ...command, at: clock.now() }
  const wanted = destinationsFor(destinations, event)
  // Those that want such events whatever their source says have this one.
  const there = new Set(wanted.length > 0 ? (await desk.of(key)).map(({ destination }) => destination) : [])
  const deliveries = wanted.filter(({ name }) => !there.has(name)).map(({ name }) => newDelivery(event, name, order))
  if (!(await heldEvents.release(key, order, deliveries))) throw fail('EVENT_NOT_HELD')
  audit.decided('released', { ...event, user: command.user, note: command.reason })
  await schedule(queue, log, hintOf(event), 0)
  await Promise.all(deliveries.map((delivery) => schedule(deliveryQueue, log, deliveryHint(delivery), 0)))
  const { held: _, outcome: _outcome, payload: _payload, ...released } = event
  return released
}
