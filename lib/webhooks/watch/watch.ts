import type { Clock } from '../../platform/clock.ts'
import type { Cancel, Timers } from '../../platform/timers.ts'
import type { EventChange } from '../change-feed.ts'
import { type Backlog, createBacklog } from './backlog.ts'
import type { ChangeReader, LiveFeed, Notice } from './feed.ts'
import { type Progress, SETTLING_MS, settledAt } from './progress.ts'

/** Nothing has changed as yet, or for a while; the cursor is as good as that of a change. */
interface Quiet {
  readonly change: undefined
  readonly cursor: string
}

/**
 * Every change from now on, or of those that somebody has not been told of: the last one of each event that changed
 * meanwhile, then each as it happens. Whoever takes them slowly is waited for in the past, not in the present.
 * @throws ServiceError `UNAVAILABLE` for one who falls behind, and when the past cannot be read
 */
export type Watch = (told: Progress | undefined, signal: AbortSignal) => AsyncIterable<Notice | Quiet>

interface WatchParts {
  readonly feed: LiveFeed
  readonly reader: ChangeReader
  readonly clock: Clock
  readonly timers: Timers
}

/** How long nothing is said, in milliseconds: less than load balancers let a connection be silent. */
export const QUIET_MS = 30_000

const MAXIMUM_WAITING = 1000

export function createWatch({ feed, reader, clock, timers }: WatchParts): Watch {
  async function* past(told: Progress, signal: AbortSignal): AsyncGenerator<Notice> {
    let isPresent = false
    let position = told.settled
    while (!isPresent && !signal.aborted) {
      const asked = clock.now().getTime()
      const { changes, upTo } = await reader.after(position)
      // What one is told of must be in the cursors of all.
      for (const change of changes) feed.hear(change)
      yield* newsIn(changes, told, settledAt(asked))
      isPresent = upTo === undefined && clock.now().getTime() - asked < SETTLING_MS / 2
      position = upTo ?? told.settled
    }
  }

  function follow(backlog: Backlog<Notice>, told: Progress | undefined): Cancel {
    if (!told) return feed.follow(backlog.add)
    for (const notice of newsIn(feed.recent(), told, told.settled)) backlog.add(notice)
    return feed.follow((notice) => {
      if (!told.isTold(notice.change)) backlog.add(notice)
    })
  }

  async function* present(backlog: Backlog<Notice>, signal: AbortSignal): AsyncGenerator<Notice | Quiet> {
    let isQuiet = true
    while (!signal.aborted) {
      const notice = backlog.next()
      if (notice || isQuiet) yield notice ?? { change: undefined, cursor: feed.cursor() }
      isQuiet = notice === undefined && (await backlog.isSilent(QUIET_MS))
    }
  }

  return async function* watch(told, signal) {
    if (told) yield* past(told, signal)
    const backlog = createBacklog<Notice>(MAXIMUM_WAITING, timers, signal)
    const stop = follow(backlog, told)
    try {
      yield* present(backlog, signal)
    } finally {
      stop()
    }
  }
}

/**
 * What has not been told.
 * @param settled the position up to which the changes are complete and in order
 */
function* newsIn(changes: Iterable<EventChange>, told: Progress, settled: bigint): Generator<Notice> {
  for (const change of changes) {
    if (told.note(change, settled)) yield { change, cursor: told.cursor }
  }
}
