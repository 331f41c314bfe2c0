import { EVERYTHING, type Filter } from './place.ts'
import { type EventRecord, type EventsResponse, recordName } from './record.ts'

/** The newest events that a filter lets through, without a gap, and where older ones begin. */
export type ShownEvents = EventsResponse

/** What the STOMP channel tells of an event that changed. */
export type Change = Pick<EventRecord, 'id' | 'source' | 'eventId' | 'eventType' | 'status' | 'receivedAt'> & {
  /** What to resume after. */
  readonly cursor: string
}

/** A list with the page that begins behind it. */
export function withOlder(list: ShownEvents, page: EventsResponse): ShownEvents {
  return { events: [...list.events, ...page.events], nextCursor: page.nextCursor }
}

/**
 * A list after its newest part was read again: what the page does not cover stays. When so much has arrived that the two
 * no longer meet, only the page is left.
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

/** A list in which an event has the given record, if it holds that event. */
export function withRecord(list: ShownEvents, record: EventRecord): ShownEvents {
  const events = list.events.map((event) => (recordName(event) === recordName(record) ? record : event))
  return { ...list, events }
}

/**
 * A list that has heard of a change: a known event has its new status, a new one has its place if the change alone shows
 * that the filter lets it through. The rest is for the next reading to tell.
 */
export function changed(list: ShownEvents, change: Change, filter: Filter): ShownEvents {
  const known = list.events.find((event) => recordName(event) === recordName(change))
  if (known) return withRecord(list, { ...known, status: change.status })
  const { cursor, ...told } = change
  const event = { ...told, ...UNKNOWN }
  const last = list.events.at(-1)
  const isOlder = list.nextCursor !== null && (last === undefined || byPosition(event, last) > 0)
  if (isOlder || !isLetThrough(change, filter)) return list
  return { ...list, events: [...list.events, event].sort(byPosition) }
}

/** What a change does not tell. */
const UNKNOWN = {
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

/** How many events of a list another one does not hold. */
export function newIn(list: ShownEvents, known: ShownEvents): number {
  const names = new Set(known.events.map(recordName))
  return list.events.filter((event) => !names.has(recordName(event))).length
}

/** The order of the API: from the highest id to the lowest, equal ones by source and event id. */
function byPosition(one: EventRecord, other: EventRecord): number {
  const difference = BigInt(other.id) - BigInt(one.id)
  if (difference !== 0n) return difference > 0n ? 1 : -1
  return compare(one.source, other.source) || compare(one.eventId, other.eventId)
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
