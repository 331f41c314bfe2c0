import { toLocalDateTime } from '../../runtime/local-date-time.ts'
import type { WebhookEvent } from '../event.ts'
import { bucketsOf } from './buckets.ts'
import type { EventFilter } from './list.ts'

/** What counting needs of an event. */
export type CountedEvent = Pick<WebhookEvent, 'source' | 'status' | 'receivedAt'>

type CountFilter = Pick<EventFilter, 'status' | 'source' | 'type' | 'from' | 'to'>

export interface CountedEvents {
  /**
   * The number of matching events among so many that are read, about the newest first. The list may lag slightly behind
   * the events themselves.
   * @param most how many are read, whether they match or not
   * @throws ServiceError `UNAVAILABLE`
   */
  look(filter: CountFilter, most: number): Promise<Look>
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
export async function countEvents(events: CountedEvents, filter: CountFilter, now: Date) {
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
    totals: { status: tally(found, 'status'), source: tally(found, 'source') },
    buckets: starts.map((start) => ({
      at: toLocalDateTime(new Date(start)),
      status: tally(byBucket.get(start / (seconds * 1000)) ?? [], 'status'),
    })),
  }
}

function tally<N extends 'status' | 'source'>(events: readonly CountedEvent[], name: N) {
  const groups = [...Map.groupBy(events, (event) => event[name])].sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(groups.map(([value, { length }]) => [value, length]))
}
