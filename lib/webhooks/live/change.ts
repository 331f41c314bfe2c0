import { namedIdAt } from '../../runtime/ids.ts'
import type { EventRecord } from '../detail.ts'
import type { EventKey } from '../event.ts'

/** A change of an event: enough to name and to show the event, never its payload. */
export interface EventChange extends Pick<EventRecord, 'id' | keyof EventKey | 'eventType' | 'receivedAt'> {
  /** Decimal: the event's own id after the intake, that of {@link changeIdOf} after later changes. */
  readonly changeId: string
  readonly status: string
  readonly proof?: EventRecord['proof'] | undefined
}

/** The position of a later change of an event in the order of all changes: by its time, to the millisecond. */
export function changeIdOf({ source, eventId }: EventKey, at: Date): bigint {
  return namedIdAt(at.getTime(), `${source}\0${eventId}`)
}
