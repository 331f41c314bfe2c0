import { type EventViewer, mayRead, readable } from '../auth/keys/scope.ts'
import { EVENT_STATUSES } from '../contract/requests/event-filter.ts'
import type { EventChange } from '../webhooks/live/change.ts'
import { isWanted } from '../webhooks/live/wanted.ts'
import type { Frame } from './codec/frame.ts'
import { malformed } from './codec/protocol-error.ts'

/**
 * Which changes a SUBSCRIBE asks for, of those that its reader may know of: by the headers `source`, `type` and `status`. The
 * last one may be several statuses, separated by commas.
 * @throws ProtocolError for an unknown status, ServiceError `KEY_OUT_OF_SCOPE`
 */
export function wantedBy({ headers }: Frame, reader: EventViewer): (change: EventChange) => boolean {
  const status = headers.get('status')?.split(',')
  if (status?.some((one) => !EVENT_STATUSES.some((known) => known === one))) {
    throw malformed(`status must be one or several of ${EVENT_STATUSES.join()}`)
  }
  const [source, type] = [headers.get('source'), headers.get('type')]
  if (source !== undefined) readable(reader, { source })
  return (change) => mayRead(reader, change.source) && isWanted(change, { source, type, status })
}
