import { toLocalDateTime } from '../../runtime/local-date-time.ts'
import type { EventKey } from '../event.ts'

/** A delivery that was given up. */
export interface DeadDelivery extends EventKey {
  readonly kind: 'delivery'
  readonly destination: string
  readonly status: 'DEAD'
  /** The reason: a status, the class of an error, or a text of this service. */
  readonly answer: string
  /** A local date-time. */
  readonly at: string
}

export function deadDelivery(key: EventKey & { readonly destination: string }, answer: string, at: Date): DeadDelivery {
  const { source, eventId, destination } = key
  return { kind: 'delivery', source, eventId, destination, status: 'DEAD', answer, at: toLocalDateTime(at) }
}
