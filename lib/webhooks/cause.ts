import { toLocalDateTime } from '../runtime/time.ts'
import type { EventKey } from './event.ts'

/** An event as the rows remember it that it changed, or that it came too late for. */
export interface Cause extends EventKey {
  readonly eventType: string
  readonly outcome: 'applied' | 'superseded'
  /** When it was processed. */
  readonly at: Date
}

/** A cause for operators, with the path of the event's detail. */
export function causeOf({ source, eventId, eventType, outcome, at }: Cause) {
  const href = `/api/webhooks/events/${encodeURIComponent(source)}/${encodeURIComponent(eventId)}`
  return { source, eventId, eventType, outcome, at: toLocalDateTime(at), href }
}
