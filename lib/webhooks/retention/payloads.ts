import { fail } from '../../errors.ts'
import type { Clock } from '../../runtime/time.ts'
import type { Audit } from '../audit.ts'
import { type EventReader, eventKeyOf } from '../detail.ts'
import type { EventHead, EventKey } from '../event.ts'
import { type Announcer, announceEnd } from '../live/announcement.ts'

/** The order of an operator to delete a payload. */
export interface DeletionOrder {
  readonly at: Date
  /** The operator's name. */
  readonly user: string
  /** Whether it also ends a run of the event that waits or is under way. */
  readonly isForced: boolean
}

export type PayloadDeletion =
  /** The event after the deletion; `isEnded` if it was waiting for a run, which the deletion has ended. */
  | { readonly kind: 'deleted'; readonly event: EventHead; readonly isEnded: boolean }
  /** The event waits for a run, or one is under way. */
  | { readonly kind: 'needed'; readonly event: EventHead }
  | { readonly kind: 'missing' }

/**
 * Deletes payloads: body, headers, parts, elements of a batch, and a type that is no name. The identity of the event,
 * its hashes and its history stay. If an earlier deletion was incomplete, it is completed. All throw ServiceError
 * `UNAVAILABLE`.
 */
export interface PayloadStore {
  /** Deletes the payload of an event for an operator, and records that in its history. */
  deleteOrdered(event: EventHead, order: DeletionOrder): Promise<PayloadDeletion>
}

/** The deliveries of an event, as deletions need them. All throw ServiceError `UNAVAILABLE`. */
export interface EventDeliveries {
  /** `open` while one waits for a try, or has one under way; `over` when all have ended; `none` if there are none. */
  stateOf(event: EventKey): Promise<'none' | 'open' | 'over'>
  /** Ends those that are not over, including a try that is under way. @returns their number */
  endAll(event: EventKey, at: Date, answer: string): Promise<number>
  /** Deletes what is kept of the answers to the payload. */
  forgetAnswers(event: EventKey): Promise<void>
}

/** The result of a delivery whose payload is deleted. */
export const PAYLOAD_DELETED = 'the payload was deleted'

export interface DeletePayloadParts {
  readonly events: Pick<EventReader, 'head'>
  readonly payloads: Pick<PayloadStore, 'deleteOrdered'>
  readonly deliveries: EventDeliveries
  readonly announcer: Announcer
  readonly clock: Clock
  readonly audit: Audit
}

interface Command {
  readonly user: string
  /** Whether runs and deliveries of the event that wait or are under way end with it. */
  readonly isForced: boolean
}

/**
 * Deletes the payload of an event now. The event loses it first, so that no run or delivery can be ordered any more.
 * @throws ServiceError `EVENT_NOT_FOUND`, `EVENT_UNDER_WAY` without force, `UNAVAILABLE`
 */
export async function deletePayload(parts: DeletePayloadParts, given: Partial<EventKey>, command: Command) {
  const { events, payloads, deliveries, announcer, clock, audit } = parts
  const { user, isForced } = command
  const key = eventKeyOf(given)
  const event = await events.head(key)
  if (event === undefined) throw fail('EVENT_NOT_FOUND')
  if (!isForced && (await deliveries.stateOf(key)) === 'open') throw fail('EVENT_UNDER_WAY')
  const at = clock.now()
  const deletion = await payloads.deleteOrdered(event, { at, user, isForced })
  if (deletion.kind === 'missing') throw fail('EVENT_NOT_FOUND')
  if (deletion.kind === 'needed') throw fail('EVENT_UNDER_WAY')
  if (deletion.isEnded) announceEnd(announcer, deletion.event, at)
  if (isForced) await deliveries.endAll(key, at, PAYLOAD_DELETED)
  await deliveries.forgetAnswers(key)
  audit.decided('payload-deleted', { ...key, eventType: deletion.event.eventType, user })
}
