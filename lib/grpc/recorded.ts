import type { Principal } from '../auth/principal.ts'
import type { TrailAction } from '../contract/trail-actions.ts'
import { correlation } from '../runtime/trace.ts'
import { actorOf, type Deed } from '../trail/row.ts'
import type { EventKey } from '../webhooks/event.ts'
import { type CallContext, callerOf } from './call.ts'

/** What a call does to an event. */
export function deedOn({ source, eventId }: EventKey, action: TrailAction, call: CallContext): Deed {
  const target = { type: 'event', id: `${source}/${eventId}`, name: eventId } as const
  return { ...deedOf(callerOf(call), action, call.from()), target }
}

export function deedOf(principal: Principal, action: TrailAction, from: string): Deed {
  return { action, actor: actorOf(principal), from, requestId: correlation().requestId }
}
