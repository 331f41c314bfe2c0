import type { Buffer } from 'node:buffer'
import { fail } from '../errors.ts'
import { shownBytes } from '../runtime/text.ts'
import { localOrNull, toLocalDateTime } from '../runtime/time.ts'
import type { EventHead, EventKey, HistoryEntry, Proof, ProofLevel, StoredEvent, WebhookEvent } from './event.ts'
import type { BatchItem } from './identity.ts'
import { isSourceName } from './source.ts'

export interface EventReader {
  /** @throws ServiceError `UNAVAILABLE` */
  find(key: EventKey): Promise<StoredEvent | undefined>
  /** The same without its payload. @throws ServiceError `UNAVAILABLE` */
  head(key: EventKey): Promise<EventHead | undefined>
  /** So many of the first elements of a batch, in order. @throws ServiceError `UNAVAILABLE` */
  items(key: EventKey, count: number): Promise<readonly BatchItem[]>
}

/** The fields of an event that lists show. */
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
  | 'proof'
  | 'possibleDuplicateOf'
  | 'typeConflict'
  | 'held'
  | 'summary'
  | 'idConflict'
  | 'itemCount'
>

/** Maximum length of an event's key: a sender's id, and the mark of another content under it. */
const MAXIMUM_LENGTH = 256 + 17

/** Parses an event key. @throws ServiceError `EVENT_NOT_FOUND` for one that no event can have */
export function eventKeyOf({ source = '', eventId = '' }: Partial<EventKey>): EventKey {
  if (isSourceName(source) && eventId.length >= 1 && eventId.length <= MAXIMUM_LENGTH) return { source, eventId }
  throw fail('EVENT_NOT_FOUND')
}

/** @throws ServiceError `EVENT_NOT_FOUND`, `UNAVAILABLE` */
export async function findEvent(events: Pick<EventReader, 'find'>, key: Partial<EventKey>): Promise<StoredEvent> {
  const event = await events.find(eventKeyOf(key))
  if (event) return event
  throw fail('EVENT_NOT_FOUND')
}

/** @throws ServiceError `PAYLOAD_DELETED` */
export function payloadOf({ payload }: StoredEvent): Buffer {
  if (payload === undefined) throw fail('PAYLOAD_DELETED')
  return payload
}

/** The most elements of a batch that a detail shows. */
const MAXIMUM_ITEMS = 1000

/** The first elements of a batch; none for an event that is no batch. @throws ServiceError `UNAVAILABLE` */
export async function itemsOf(events: Pick<EventReader, 'items'>, event: EventHead): Promise<readonly BatchItem[]> {
  return event.itemCount ? events.items(event, Math.min(event.itemCount, MAXIMUM_ITEMS)) : []
}

/**
 * The record for operators (webhooks-58): absent values are null, times are local date-times.
 */
export function recordOf(event: EventSummary) {
  return {
    id: event.id.toString(),
    source: event.source,
    eventId: event.eventId,
    eventType: event.eventType,
    status: event.status,
    receivedAt: toLocalDateTime(event.receivedAt),
    processedAt: localOrNull(event.processedAt),
    attempts: event.attempts,
    nextRetryAt: localOrNull(event.nextRetryAt),
    dead: event.dead,
    errorMessage: event.errorMessage ?? null,
    outcome: event.outcome ?? null,
    proof: shownProof(event.proof),
    possibleDuplicateOf: event.possibleDuplicateOf ?? null,
    typeConflict: event.typeConflict === true,
    held: event.held === true,
    summary: event.summary ?? null,
    idConflict: event.idConflict
      ? { count: event.idConflict.count, lastAt: toLocalDateTime(event.idConflict.lastAt) }
      : null,
    itemCount: event.itemCount ?? null,
  }
}

export type EventRecord = ReturnType<typeof recordOf>

/** A proof as every channel shows it. */
export interface ShownProof {
  readonly level: ProofLevel
  readonly key: string | null
  /** UTC, with its zone. */
  readonly signedAt: string | null
  readonly typeSigned: boolean
  readonly idSigned: boolean
  readonly stale?: true
}

/** The signed time is UTC with its zone, because senders write it so. */
export function shownProof({ level, key, signedAt, typeSigned, idSigned, stale }: Proof): ShownProof {
  const of = { key: key ?? null, signedAt: signedAt?.toISOString() ?? null }
  return { level, ...of, typeSigned, idSigned, ...(stale && { stale }) }
}

/**
 * The maximum size of the payload in a detail, in bytes: the answer must fit Lambda's limit of 6 MB with each quotation
 * mark escaped twice.
 */
const MAXIMUM_SHOWN_BYTES = 262_144

/** The record, the payload as received, the stored headers, the complete history and the elements of a batch. */
export function detailOf(event: StoredEvent, items: readonly BatchItem[] = []) {
  return {
    ...recordOf(event),
    ...shownPayload(event.payload),
    payloadBytes: event.payload?.length ?? null,
    payloadDeletedAt: localOrNull(event.payloadDeletedAt),
    headers: event.headers,
    history: event.history.map((entry) => ({
      at: toLocalDateTime(entry.at),
      status: entry.status,
      by: whoAndWhy(entry),
      error: entry.error ?? null,
    })),
    items: items.map(({ eventId, eventType }, index) => ({
      id: `${event.eventId}#${index + 1}`,
      eventId: eventId ?? null,
      eventType,
    })),
  }
}

/** A payload that was deleted is null. */
function shownPayload(payload: Buffer | undefined) {
  if (payload === undefined) return { payload: null, payloadEncoding: 'utf8', payloadTruncated: false } as const
  const { text, encoding, isWhole } = shownBytes(payload, MAXIMUM_SHOWN_BYTES)
  return { payload: text, payloadEncoding: encoding, payloadTruncated: !isWhole }
}

/**
 * The actor of a move. For an operator also the name, and the reason if there is one:
 * `operator admin: the shop is open again`.
 */
export function whoAndWhy({ by, user, reason }: HistoryEntry): string {
  const who = user === undefined ? by : `${by} ${user}`
  return reason === undefined ? who : `${who}: ${reason}`
}
