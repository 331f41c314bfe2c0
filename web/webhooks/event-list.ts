import { EVERYTHING, type Filter } from './place.ts'
import { type EventRecord, type EventsResponse, recordName } from './record.ts'

/** The newest events that match a filter, without a gap, and the cursor of older ones. */
export type ShownEvents = EventsResponse

/** A change of an event as the STOMP channel sends it. */
export type Change = Pick<EventRecord, 'id' | 'source' | 'eventId' | 'eventType' | 'status' | 'receivedAt'> & {
  readonly proof?: EventRecord['proof']
  /** The cursor to resume after. */
  readonly cursor: string
}

/** A list extended by the next page. */
export function withOlder(list: ShownEvents, page: EventsResponse): ShownEvents {
  return { events: [...list.events, ...page.events], nextCursor: page.nextCursor }
}

/**
 * A list after a new read of its newest part: events beyond the new page stay. If so many have arrived that the two no
 * longer overlap, only the page is left.
 */
export function refreshed(list: ShownEvents, page: EventsResponse): ShownEvents {
  const last = page.events.at(-1)
  if (page.nextCursor === null) return page
  if (last === undefined) return list
  const older = list.events.filter((event) => byPosition(event, last) > 0)
  const isMeeting = older.length < list.events.length
  if (!isMeeting || older.length === 0) return page
  return { events: [...page.events, ...older], nextCursor: list.nextCursor }
}

/** A list with the record of an event replaced, if the list contains the event. */
export function withRecord(list: ShownEvents, record: EventRecord): ShownEvents {
  const events = list.events.map((event) => (recordName(event) === recordName(record) ? record : event))
  return { ...list, events }
}

/**
 * A list after a change: a known event gets its new status. A new event gets its place if the change alone shows that
 * it matches the filter. The next read adds everything else.
 */
export function changed(list: ShownEvents, change: Change, filter: Filter): ShownEvents {
  const known = list.events.find((event) => recordName(event) === recordName(change))
  if (known) return withRecord(list, { ...known, status: change.status })
  const { cursor, ...told } = change
  const event = { ...UNKNOWN, ...told }
  const last = list.events.at(-1)
  const isOlder = list.nextCursor !== null && (last === undefined || byPosition(event, last) > 0)
  if (isOlder || !isLetThrough(change, filter)) return list
  return { ...list, events: [...list.events, event].sort(byPosition) }
}

/** The fields that a change does not contain; a proof is in most of them. */
const UNKNOWN = {
  proof: { level: 'none', key: null, signedAt: null },
  possibleDuplicateOf: null,
  idConflict: null,
  itemCount: null,
  processedAt: null,
  attempts: 0,
  nextRetryAt: null,
  dead: false,
  errorMessage: null,
  outcome: null,
} as const

function isLetThrough({ status, source, eventType }: Change, filter: Filter): boolean {
  const { status: wantedStatus, source: wantedSource, type: wantedType, ...others } = filter
  const rest = { ...EVERYTHING, ...others }
  const isCertain = Object.values(rest).every((demand) => demand === '')
  const matches = (demand: string, value: string) => demand === '' || demand === value
  return isCertain && matches(wantedStatus, status) && matches(wantedSource, source) && matches(wantedType, eventType)
}

/** The number of events of a list that another list does not contain. */
export function newIn(list: ShownEvents, known: ShownEvents): number {
  const names = new Set(known.events.map(recordName))
  return list.events.filter((event) => !names.has(recordName(event))).length
}

/** The order of the API: descending by id, equal ids by source and event id. */
function byPosition(one: EventRecord, other: EventRecord): number {
  const difference = BigInt(other.id) - BigInt(one.id)
  if (difference !== 0n) return difference > 0n ? 1 : -1
  return compare(one.source, other.source) || compare(one.eventId, other.eventId)
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
