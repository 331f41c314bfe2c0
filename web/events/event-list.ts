import { type EventRecord, type EventsResponse, recordName } from './record.ts'

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
