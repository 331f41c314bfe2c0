import type { eventDetail, eventPage } from '../../lib/contract/answers/events.ts'
import type { Response } from '../ask.ts'
import type { Look } from '../ui/badge.tsx'

export type EventsResponse = Response<typeof eventPage>
export type EventRecord = EventsResponse['events'][number]
export type EventDetail = Response<typeof eventDetail>

/** The identity of an event. */
export type RecordKey = Pick<EventRecord, 'source' | 'eventId'>

/** A key as one text; no source contains a slash. */
export function recordName({ source, eventId }: RecordKey): string {
  return `${source}/${eventId}`
}

/** The path of an event in the API. */
export function pathOf({ source, eventId }: RecordKey): string {
  return `/api/webhooks/events/${source}/${encodeURIComponent(eventId)}`
}

type Status = EventRecord['status']

/** The look of each status in a total of many events. */
export const LOOKS: Readonly<Record<Status, Look>> = {
  RECEIVED: { label: 'Received', tone: 'run' },
  PROCESSING: { label: 'Processing', tone: 'run' },
  PROCESSED: { label: 'Processed', tone: 'ok' },
  RETRY: { label: 'Retrying', tone: 'wait' },
  FAILED: { label: 'Failed', tone: 'bad' },
}

/** Statuses of the API that one word means, and whether no attempt is left. */
export interface Standing {
  readonly status: readonly Status[]
  readonly dead: string
}

/** A failed event that is retried by itself counts as no failure yet. */
export const RETRYING = { status: ['FAILED', 'RETRY'], dead: 'false' } as const satisfies Standing
export const FAILED = { status: ['FAILED'], dead: 'true' } as const satisfies Standing

/** What totals distinguish. */
export const GROUPS: readonly (Look & Standing)[] = [
  { ...LOOKS.PROCESSED, status: ['PROCESSED'], dead: '' },
  { ...LOOKS.PROCESSING, status: ['RECEIVED', 'PROCESSING'], dead: '' },
  { ...LOOKS.RETRY, ...RETRYING },
  { ...LOOKS.FAILED, ...FAILED },
]

/** The counts that a filter means: RETRY has all that is retried by itself, and FAILED the rest. None means all. */
export function countedStatuses({ status, dead }: Standing): readonly Status[] {
  if (dead === 'true') return ['FAILED']
  if (dead === 'false') return status.filter((each) => each !== 'FAILED')
  return status.includes('FAILED') ? [...status, 'RETRY'] : status
}

/** The look of one event. */
export function eventLook({
  status,
  nextRetryAt,
  outcome,
}: Pick<EventRecord, 'status' | 'nextRetryAt' | 'outcome'>): Look {
  if (status === 'PROCESSED' && outcome === 'superseded') return { label: 'Superseded', tone: 'note' }
  return status === 'FAILED' && nextRetryAt !== null ? LOOKS.RETRY : LOOKS[status]
}

/** What is worth saying of an event in one line; empty where all is as usual. */
export function summaryOf({
  errorMessage,
  summary,
  held,
  possibleDuplicateOf,
  idConflict,
  itemCount,
}: EventRecord): string {
  const parts = [
    errorMessage,
    held && 'held',
    summary,
    itemCount === null ? null : `batch of ${itemCount}`,
    idConflict && `${idConflict.count} × other content under this id`,
    possibleDuplicateOf !== null && `possible duplicate of ${possibleDuplicateOf}`,
  ]
  return parts.filter(Boolean).join(' · ')
}

/** A page of events, newest first, and the cursor of the next one. */
export interface ShownEvents extends EventsResponse {
  /** Where the range of time begins, for this page and the next ones. */
  readonly from: string
  /** How many events are before it; undefined where a link led to it. */
  readonly before: number | undefined
}

/** A change of an event, as the STOMP channel sends it. */
export type Change = Pick<EventRecord, 'source' | 'eventId' | 'status'> & {
  /** The cursor to resume after. */
  readonly cursor: string
}

/** A list in which each event is as another read shows it; none comes, goes or moves. */
export function inPlace(list: ShownEvents, found: ShownEvents): ShownEvents {
  const known = new Map(found.events.map((event) => [recordName(event), event]))
  return { ...list, events: list.events.map((event) => known.get(recordName(event)) ?? event) }
}

/** A list after a change; an event that it does not contain comes with the next read. */
export function changed(list: ShownEvents, { status, ...key }: Change): ShownEvents {
  const name = recordName(key)
  return { ...list, events: list.events.map((event) => (recordName(event) === name ? { ...event, status } : event)) }
}

/** The names of the events of a list that another list does not contain. */
export function newIn(list: ShownEvents, known: ShownEvents): ReadonlySet<string> {
  return new Set(list.events.map(recordName)).difference(new Set(known.events.map(recordName)))
}
