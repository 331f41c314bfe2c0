import { listCursor, member } from '../../runtime/list-cursor.ts'
import { type EventSummary, recordOf } from '../detail.ts'
import type { EventKey, EventStatus } from '../event.ts'

/** Selects the events that match all given fields. */
export interface EventFilter {
  readonly status?: AnyOf<EventStatus> | undefined
  readonly source?: AnyOf<string> | undefined
  readonly type?: AnyOf<string> | undefined
  /** The first and the last time of receipt, both inclusive. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  /** A part of the event id, type, source or error message, in any case. */
  readonly q?: string | undefined
  readonly dead?: boolean | undefined
  readonly held?: true | undefined
  /** Whether it waits for an operator: it is dead or held. */
  readonly attention?: true | undefined
}

/** A whole name, or any of several; at least one. */
type AnyOf<T> = T | readonly T[]

type Searched = Pick<EventSummary, 'eventId' | 'eventType' | 'source' | 'errorMessage' | 'summary'>

/** The test whether an event contains a text; undefined if none is sought. */
export function finderOf(q: string | undefined): ((event: Searched) => boolean) | undefined {
  if (q === undefined) return undefined
  const sought = withoutCase(q)
  return ({ eventId, eventType, source, errorMessage = '', summary = '' }) =>
    [eventId, eventType, source, errorMessage, summary].some((text) => withoutCase(text).includes(sought))
}

/** Letters without a one-to-one counterpart in the other case are equal, too: `ß` and `SS`, `ς` and `Σ`. */
function withoutCase(text: string): string {
  return text.toLowerCase().toUpperCase()
}

/** A place in the order of a list: descending by id, equal ids by source and event id. */
export interface Position extends EventKey {
  readonly id: bigint
}

export interface EventPage {
  readonly events: readonly EventSummary[]
  /** The event after which the next page begins; undefined on the last page. */
  readonly next: Position | undefined
}

/** All events by time, newest first; the list may lag slightly behind the events themselves. */
export interface EventList {
  /**
   * The next events after a position. The page may be shorter than the limit, even empty, although more events follow:
   * the search for a rare filter is bounded.
   * @throws ServiceError `UNAVAILABLE`
   */
  find(filter: EventFilter, after: Position | undefined, limit: number): Promise<EventPage>
  /** The number of matching events. @throws ServiceError `UNAVAILABLE` */
  count(filter: EventFilter): Promise<number>
}

export const eventCursor = listCursor('events', { id: member.id, source: member.text, eventId: member.text })

export interface ListRequest extends EventFilter {
  readonly limit: number
  readonly cursor?: string | undefined
}

interface Listed {
  readonly events: readonly EventSummary[]
  /** The cursor that requests the next page; undefined on the last page. */
  readonly nextCursor: string | undefined
}

/**
 * One page for operators (operators-1). Events that arrive between two requests do not change later
 * pages.
 * @throws ServiceError `VALIDATION_FAILED` for a cursor of another filter, `UNAVAILABLE`
 */
export async function listEvents(list: EventList, { limit, cursor, ...filter }: ListRequest): Promise<Listed> {
  const { events, next } = await list.find(filter, eventCursor.read(filter, cursor), limit)
  return { events, nextCursor: next && eventCursor.of(filter, next) }
}

/** The page in the form that operators see, absent values as null. */
export function pageOf({ events, nextCursor }: Listed) {
  return { events: events.map(recordOf), nextCursor: nextCursor ?? null }
}

/** Compares two positions in the order of a list, for `Array.sort`. */
export function byPosition(one: Position, other: Position): number {
  if (one.id !== other.id) return one.id > other.id ? -1 : 1
  return compare(one.source, other.source) || compare(one.eventId, other.eventId)
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
