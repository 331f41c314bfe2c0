import { type Buffer, isUtf8 } from 'node:buffer'
import { fail } from '../errors.ts'
import { toLocalDateTime } from '../runtime/local-date-time.ts'
import type { EventKey, HistoryEntry, WebhookEvent } from './event.ts'
import { isSourceName } from './source.ts'

export interface EventReader {
  /** @throws ServiceError `UNAVAILABLE` */
  find(key: EventKey): Promise<WebhookEvent | undefined>
}

/** What a list shows of an event. */
export type EventSummary = Pick<
  WebhookEvent,
  | 'id'
  | 'source'
  | 'eventId'
  | 'eventType'
  | 'status'
  | 'receivedAt'
  | 'processedAt'
  | 'attempts'
  | 'nextRetryAt'
  | 'dead'
  | 'errorMessage'
  | 'outcome'
  | 'replayId'
>

/** No event has a longer id, and the store refuses to look for one. */
const MAXIMUM_LENGTH = 256

/** A key that an event can have. @throws ServiceError `EVENT_NOT_FOUND` for any other */
export function eventKeyOf({ source = '', eventId = '' }: Partial<EventKey>): EventKey {
  if (isSourceName(source) && eventId.length >= 1 && eventId.length <= MAXIMUM_LENGTH) return { source, eventId }
  throw fail('EVENT_NOT_FOUND')
}

/** @throws ServiceError `EVENT_NOT_FOUND`, `UNAVAILABLE` */
export async function findEvent(events: EventReader, key: Partial<EventKey>): Promise<WebhookEvent> {
  const event = await events.find(eventKeyOf(key))
  if (event) return event
  throw fail('EVENT_NOT_FOUND')
}

/** The record that operators see (decisions, "Webhooks", row "record"): absent values are null, times are local date-times. */
export function recordOf(event: EventSummary) {
  return {
    id: event.id.toString(),
    source: event.source,
    eventId: event.eventId,
    eventType: event.eventType,
    status: event.status,
    receivedAt: toLocalDateTime(event.receivedAt),
    processedAt: local(event.processedAt),
    attempts: event.attempts,
    nextRetryAt: local(event.nextRetryAt),
    dead: event.dead,
    errorMessage: event.errorMessage ?? null,
    outcome: event.outcome ?? null,
  }
}

/** What a detail shows of a payload: it has to fit what Lambda may answer, 6 MB, with each quotation mark escaped twice. */
const MAXIMUM_SHOWN_BYTES = 262_144

/** The record with the payload as received, the headers that were kept and every move that the event made. */
export function detailOf(event: WebhookEvent) {
  const payloadEncoding = isUtf8(event.payload) ? 'utf8' : 'base64'
  const shown = event.payload.subarray(0, shownBytes(event.payload, payloadEncoding))
  return {
    ...recordOf(event),
    payload: shown.toString(payloadEncoding),
    payloadEncoding,
    payloadTruncated: shown.length < event.payload.length,
    headers: event.headers,
    history: event.history.map((entry) => ({
      at: toLocalDateTime(entry.at),
      status: entry.status,
      by: whoAndWhy(entry),
      error: entry.error ?? null,
    })),
  }
}

/** A text ends with a whole character: the bytes after the first of one are 10xxxxxx (RFC 3629 section 3). */
function shownBytes(payload: Buffer, encoding: 'utf8' | 'base64'): number {
  let end = MAXIMUM_SHOWN_BYTES
  while (encoding === 'utf8' && ((payload[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end--
  return end
}

/** Of an operator also the name, and the reason if one was given: `operator admin: the shop is open again`. */
export function whoAndWhy({ by, user, reason }: HistoryEntry): string {
  const who = user === undefined ? by : `${by} ${user}`
  return reason === undefined ? who : `${who}: ${reason}`
}

function local(date: Date | undefined): string | null {
  return date === undefined ? null : toLocalDateTime(date)
}
