import { toLocalDateTime } from '../../runtime/time.ts'
import type { WebhookEvent } from '../event.ts'
import type { EventFilter } from './list.ts'

/** What counting needs of an event. */
export type CountedEvent = Pick<WebhookEvent, 'source' | 'status' | 'dead' | 'receivedAt'>

export interface CountedEvents {
  /**
   * The number of matching events among so many that are read, about the newest first. The list may lag slightly behind
   * the events themselves.
   * @param most how many are read, whether they match or not
   * @throws ServiceError `UNAVAILABLE`
   */
  look(filter: EventFilter, most: number): Promise<Look>
}

interface Look {
  readonly found: readonly CountedEvent[]
  /** False if some may have been left out. */
  readonly isComplete: boolean
}

const DAY_MS = 86_400_000
const MOST_EVENTS = 50_000

/**
 * How many events there are by status, by source, and by status over time; what there is none of is absent. Without times
 * it is the last day.
 * @throws ServiceError `UNAVAILABLE`
 */
export async function countEvents(events: CountedEvents, filter: EventFilter, now: Date) {
  const to = filter.to ?? (filter.from && filter.from > now ? filter.from : now)
  const from = filter.from ?? new Date(to.getTime() - DAY_MS)
  const { found, isComplete } = await events.look({ ...filter, from, to }, MOST_EVENTS)
  const { seconds, starts } = bucketsOf(from, to)
  const byBucket = Map.groupBy(found, ({ receivedAt }) => Math.floor(receivedAt.getTime() / (seconds * 1000)))
  return {
    from: toLocalDateTime(from),
    to: toLocalDateTime(to),
    complete: isComplete,
    bucketSeconds: seconds,
    totals: { ...standings(found), source: tally(found, 'source') },
    buckets: starts.map((start) => ({
      at: toLocalDateTime(new Date(start)),
      ...standings(byBucket.get(start / (seconds * 1000)) ?? []),
    })),
  }
}

function standings(events: readonly CountedEvent[]) {
  const dead = events.filter((event) => event.dead).length
  return { status: tally(events, 'status'), ...(dead > 0 && { dead }) }
}

function tally<N extends 'status' | 'source'>(events: readonly CountedEvent[], name: N) {
  const groups = [...Map.groupBy(events, (event) => event[name])].sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(groups.map(([value, { length }]) => [value, length]))
}

const MAXIMUM_BUCKETS = 120

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400]
const WEEK = 7 * DAY

/** Lengths in seconds at which people read a clock. */
const LENGTHS = [
  ...[1, 5, 15],
  ...[1, 5, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 6, 12].map((hours) => hours * HOUR),
  DAY,
]

interface Buckets {
  /** The length of each. */
  readonly seconds: number
  /** When each begins, in milliseconds since the epoch: a multiple of the length. */
  readonly starts: readonly number[]
}

/** Equal parts of time, at most 120, that hold all from one time to another, both included; none is before 1970. */
export function bucketsOf(from: Date, to: Date): Buckets {
  const [first, last] = [Math.max(0, from.getTime()), to.getTime()]
  const weeks = Math.ceil((last - first) / 1000 / WEEK / (MAXIMUM_BUCKETS - 1))
  const placesOf = (seconds: number) => [Math.floor(first / seconds / 1000), Math.floor(last / seconds / 1000)] as const
  const isShort = ([begin, end]: readonly [number, number]) => end - begin < MAXIMUM_BUCKETS
  const seconds = LENGTHS.find((length) => isShort(placesOf(length))) ?? weeks * WEEK
  const [begin, end] = placesOf(seconds)
  const count = Math.max(0, end - begin + 1)
  return { seconds, starts: Array.from({ length: count }, (_, index) => (begin + index) * seconds * 1000) }
}
