import { namedIdAt } from '../../runtime/ids.ts'
import type { ShownProof } from '../detail.ts'
import type { EventKey } from '../event.ts'

/** A change of an event: enough to name and to show the event, never its payload. */
export interface EventChange {
  /** Decimal: the event's own id after the intake, that of {@link changeIdOf} after later changes. */
  readonly changeId: string
  /** Decimal. */
  readonly id: string
  readonly source: string
  readonly eventId: string
  readonly eventType: string
  readonly status: string
  /** A local date-time, as in the record. */
  readonly receivedAt: string
  /** As in the record. */
  readonly proof?: ShownProof | undefined
}

/** The position of a later change of an event in the order of all changes: by its time, to the millisecond. */
export function changeIdOf({ source, eventId }: EventKey, at: Date): bigint {
  return namedIdAt(at.getTime(), `${source}\0${eventId}`)
}
