import { type EventViewer, mayRead, readable } from '../auth/keys/scope.ts'
import type { EventStatus } from '../webhooks/event.ts'
import type { EventChange } from '../webhooks/live/change-feed.ts'
import type { Frame } from './codec/frame.ts'
import { malformed } from './codec/protocol-error.ts'

const STATUSES: readonly string[] = [
  'RECEIVED',
  'PROCESSING',
  'PROCESSED',
  'FAILED',
  'RETRY',
] satisfies readonly EventStatus[]

/**
 * Which changes a SUBSCRIBE wants, of those that its reader may know of: by the headers `source`, `type` and `status`, the
 * last one or several statuses with commas.
 * @throws ProtocolError for an unknown status, ServiceError `KEY_OUT_OF_SCOPE`
 */
export function wantedBy({ headers }: Frame, reader: EventViewer): (change: EventChange) => boolean {
  const [source, type] = [headers.get('source'), headers.get('type')]
  const statuses = headers.get('status')?.split(',')
  if (statuses?.some((status) => !STATUSES.includes(status))) {
    throw malformed(`status must be one or several of ${STATUSES.join()}`)
  }
  if (source !== undefined) readable(reader, { source })
  return (change) =>
    mayRead(reader, change.source) &&
    (source ?? change.source) === change.source &&
    (type ?? change.eventType) === change.eventType &&
    (statuses?.includes(change.status) ?? true)
}
