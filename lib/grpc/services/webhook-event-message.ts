import { type Timestamp, timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  WebhookEventProofLevel as Level,
  type ListWebhookEventsRequest,
  WebhookEventStatus as Message,
} from '../../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { fromLocalDateTime } from '../../runtime/time.ts'
import { type EventSummary, type ShownProof, shownProof, whoAndWhy } from '../../webhooks/detail.ts'
import type { EventStatus, HistoryEntry, ProofLevel } from '../../webhooks/event.ts'
import type { BatchItem } from '../../webhooks/identity.ts'
import type { EventChange } from '../../webhooks/live/cursor.ts'
import { given } from '../call.ts'

const STATUSES = {
  RECEIVED: Message.RECEIVED,
  PROCESSING: Message.PROCESSING,
  PROCESSED: Message.PROCESSED,
  FAILED: Message.FAILED,
  RETRY: Message.RETRY,
} as const satisfies Record<EventStatus, Message>

const MESSAGES: ReadonlyMap<string, Message> = new Map(Object.entries(STATUSES))

const NAMES = new Map(Object.entries(STATUSES).map(([name, message]) => [message as number, name]))

/** The statuses of a message by name, once each; undefined among them for one that is unspecified or unknown. */
export function statusNames(messages: readonly Message[]): ReadonlySet<string | undefined> {
  return new Set(messages.map((message) => NAMES.get(message)))
}

/** An event as every method shows it. */
export function eventMessageOf(event: EventSummary) {
  const { id, source, eventId, eventType, status, receivedAt, processedAt, attempts, nextRetryAt, dead } = event
  const { errorMessage, outcome, proof, possibleDuplicateOf, idConflict, itemCount, summary } = event
  return {
    id,
    source,
    eventId,
    eventType,
    status: STATUSES[status],
    receivedAt: timestampFromDate(receivedAt),
    attempts,
    dead,
    ...(processedAt && { processedAt: timestampFromDate(processedAt) }),
    ...(nextRetryAt && { nextRetryAt: timestampFromDate(nextRetryAt) }),
    ...(errorMessage !== undefined && { errorMessage }),
    ...(outcome !== undefined && { outcome }),
    proof: proofMessageOf(shownProof(proof)),
    ...(possibleDuplicateOf !== undefined && { possibleDuplicateOf }),
    ...(idConflict && { idConflict: { count: idConflict.count, lastAt: timestampFromDate(idConflict.lastAt) } }),
    typeConflict: event.typeConflict === true,
    held: event.held === true,
    ...(itemCount !== undefined && { itemCount }),
    ...(summary !== undefined && { summary }),
  }
}

const LEVELS = {
  full: Level.FULL,
  body: Level.BODY,
  fields: Level.FIELDS,
  checksum: Level.CHECKSUM,
  token: Level.TOKEN,
  none: Level.NONE,
} as const satisfies Record<ProofLevel, Level>

function proofMessageOf({ level, key, signedAt, typeSigned, idSigned, stale }: ShownProof) {
  return {
    level: LEVELS[level],
    typeSigned,
    idSigned,
    stale: stale === true,
    ...(key !== null && { key }),
    ...(signedAt !== null && { signedAt: timestampFromDate(new Date(signedAt)) }),
  }
}

export function itemMessageOf({ eventId, eventType }: BatchItem) {
  return { eventType, ...(eventId !== undefined && { eventId }) }
}

/** The message for a change that was published or read from the store. */
export function changeOf({ id, source, eventId, eventType, status, receivedAt, proof }: EventChange) {
  const received = fromLocalDateTime(receivedAt)
  return {
    id: BigInt(id),
    source,
    eventId,
    eventType,
    status: MESSAGES.get(status) ?? Message.UNSPECIFIED,
    ...(received && { receivedAt: timestampFromDate(received) }),
    ...(proof && { proof: proofMessageOf(proof) }),
  }
}

export function moveMessageOf(entry: HistoryEntry) {
  const { at, status, error } = entry
  return {
    at: timestampFromDate(at),
    status: STATUSES[status],
    by: whoAndWhy(entry),
    ...(error !== undefined && { error }),
  }
}

/** The field of a request for each part of a query, where the names differ. */
export const WATCH_FIELDS = { status: 'statuses', cursor: 'resume_after' } as const
export const LIST_FIELDS = {
  status: 'statuses',
  type: 'event_type',
  from: 'received_from',
  to: 'received_to',
  q: 'query',
  limit: 'page_size',
  cursor: 'page_token',
} as const

/** A request for a list, before it is checked. */
export function listQueryOf(request: ListWebhookEventsRequest) {
  const { statuses, source, eventType, receivedFrom, receivedTo, query, dead, pageSize, pageToken } = request
  return {
    status: statusNames(statuses),
    source: given(source),
    type: given(eventType),
    from: receivedFrom && dateOf(receivedFrom),
    to: receivedTo && dateOf(receivedTo),
    q: given(query),
    dead,
    limit: given(pageSize),
    cursor: given(pageToken),
  }
}

/** Times have milliseconds everywhere: the rest is cut off. */
function dateOf({ seconds, nanos }: Timestamp): Date {
  return new Date(Number(seconds) * 1000 + Math.floor(nanos / 1e6))
}
