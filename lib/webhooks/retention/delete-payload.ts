import { fail } from '../../errors.ts'
import type { Clock } from '../../runtime/clock.ts'
import { announceEnd } from '../announce-ends.ts'
import type { Audit } from '../audit.ts'
import { type EventReader, eventKeyOf } from '../detail.ts'
import type { EventKey } from '../event.ts'
import type { Announcer } from '../live/announcement.ts'
import { type EventDeliveries, PAYLOAD_DELETED, type PayloadStore } from './payloads.ts'

export interface DeletePayloadParts {
  readonly events: Pick<EventReader, 'head'>
  readonly payloads: Pick<PayloadStore, 'deleteOrdered'>
  readonly deliveries: Pick<EventDeliveries, 'stateOf' | 'endAll'>
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
  audit.decided('payload-deleted', { ...key, eventType: deletion.event.eventType, user })
}
