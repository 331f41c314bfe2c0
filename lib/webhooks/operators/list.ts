import { invalid } from '../../errors.ts'
import { type EventSummary, recordOf } from '../detail.ts'
import type { EventKey, EventStatus } from '../event.ts'
import { pageCursorOf, readCursor } from './cursor.ts'

/** Which events are meant: those that fulfil all that is given. */
export interface EventFilter {
  /** Any of these, of which there is at least one. */
  readonly status?: readonly EventStatus[] | undefined
  readonly source?: string | undefined
  readonly type?: string | undefined
  /** The first and the last time of receipt, both included. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  /** A part of the event id or of the error message, in the same case. */
  readonly q?: string | undefined
  readonly dead?: boolean | undefined
}

/** A place in the order of a list: from the highest id to the lowest, equal ones by source and event id. */
export interface Position extends EventKey {
  readonly id: bigint
}

export interface EventPage {
  readonly events: readonly EventSummary[]
  /** Behind which event the next page begins; undefined when there is none. */
  readonly next: Position | undefined
}

/** All events by time, newest first; it may be a moment behind the events themselves. */
export interface EventList {
  /**
   * The next events behind a position. They may be fewer than asked for, even none, while there are more: a rare filter
   * is not looked for without end.
   * @throws ServiceError `UNAVAILABLE`
   */
  find(filter: EventFilter, after: Position | undefined, limit: number): Promise<EventPage>
  /** How many events there are. @throws ServiceError `UNAVAILABLE` */
  count(filter: EventFilter): Promise<number>
}

export interface ListRequest extends EventFilter {
  readonly limit: number
  readonly cursor?: string | undefined
}

interface Listed {
  readonly events: readonly EventSummary[]
  /** What to ask the next page with; undefined when there is none. */
  readonly nextCursor: string | undefined
}

/**
 * One page for operators (decisions, "For operators"). Events that arrive between two pages change nothing in the pages
 * to come.
 * @throws ServiceError `VALIDATION_FAILED` for a cursor of another filter, `UNAVAILABLE`
 */
export async function listEvents(list: EventList, { limit, cursor, ...filter }: ListRequest): Promise<Listed> {
  const { events, next } = await list.find(filter, cursor === undefined ? undefined : position(cursor, filter), limit)
  return { events, nextCursor: next && pageCursorOf(next, filter) }
}

/** The page that operators see, absent values as null. */
export function pageOf({ events, nextCursor }: Listed) {
  return { events: events.map(recordOf), nextCursor: nextCursor ?? null }
}

function position(cursor: string, filter: EventFilter): Position {
  const after = readCursor(cursor, filter)
  if (after) return after
  throw invalid([{ path: ['cursor'], message: 'must come from a page with the same filter' }], { cursor })
}

/** The order of a list, as `Array.sort` takes it. */
export function byPosition(one: Position, other: Position): number {
  if (one.id !== other.id) return one.id > other.id ? -1 : 1
  return compare(one.source, other.source) || compare(one.eventId, other.eventId)
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
