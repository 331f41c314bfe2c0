import type { eventDetail, eventPage } from '../../lib/contract/answers/events.ts'
import type { Response } from '../ask.ts'
import type { Look } from '../ui/badge.tsx'
import { parseTime } from '../ui/times.tsx'

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

const PROCESSING: Look = { label: 'Processing', tone: 'run' }

/** The look of each status in a total of many events. */
export const LOOKS: Readonly<Record<Status, Look>> = {
  RECEIVED: { label: 'Received', tone: 'run' },
  PROCESSING,
  PROCESSED: { label: 'Processed', tone: 'ok' },
  RETRY: { label: 'Retrying', tone: 'wait' },
  FAILED: { label: 'Failed', tone: 'bad' },
}

/** The groups of statuses that totals distinguish. Only a single event shows whether a failed one is retried. */
export const GROUPS: readonly (Look & { readonly statuses: readonly Status[] })[] = [
  { ...LOOKS.PROCESSED, statuses: ['PROCESSED'] },
  { ...PROCESSING, statuses: ['RECEIVED', 'PROCESSING'] },
  { label: 'Failed or retrying', tone: 'bad', statuses: ['FAILED', 'RETRY'] },
]

type Standing = Pick<EventRecord, 'status' | 'nextRetryAt' | 'outcome'>

/** The look of one event: a failed one that is retried by itself counts as no failure yet. */
export function eventLook({ status, nextRetryAt, outcome }: Standing): Look {
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

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** From receipt until it was processed: `12 ms`, `1.4 s`, `15 min`; a dash before that. */
export function tookText({ receivedAt, processedAt }: Pick<EventRecord, 'receivedAt' | 'processedAt'>): string {
  if (processedAt === null) return '–'
  const milliseconds = Math.max(0, parseTime(processedAt).getTime() - parseTime(receivedAt).getTime())
  const [unit, length] = UNITS.find(([, candidate]) => milliseconds >= candidate) ?? ['ms', 1]
  const amount = milliseconds / length
  return `${unit === 'ms' || amount >= 10 ? Math.round(amount) : amount.toFixed(1)} ${unit}`
}

/** The runs so far; a dash before the first. */
export function attemptsText({ status, attempts }: Pick<EventRecord, 'status' | 'attempts'>): string {
  return status === 'RECEIVED' ? '–' : `${attempts + 1}`
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
