import type { Clock } from '../../platform/clock.ts'
import type { Timers } from '../../platform/timers.ts'
import type { EventChange } from '../change-feed.ts'
import { type Backlog, createBacklog } from './backlog.ts'
import type { ChangeReader, LiveFeed, Notice } from './feed.ts'
import { type Progress, SETTLING_MS } from './progress.ts'

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
  async function* stored(told: Progress, signal: AbortSignal): AsyncGenerator<Notice> {
    for (let position: bigint | undefined = told.settled; position !== undefined && !signal.aborted; ) {
      const { changes, upTo } = await reader.after(position)
      // What one is told of must be in the cursors of all.
      for (const change of changes) feed.hear(change)
      yield* newsIn(changes, told, feed.settled)
      position = upTo
    }
  }

  /** Telling a slow one takes its time, in which more comes. */
  async function* past(told: Progress, signal: AbortSignal): AsyncGenerator<Notice> {
    let asked: number
    do {
      asked = clock.now().getTime()
      const remembered = feed.after(told.settled)
      yield* remembered ? newsIn(remembered, told, feed.settled) : stored(told, signal)
    } while (clock.now().getTime() - asked > SETTLING_MS / 2 && !signal.aborted)
  }

  return async function* watch(told, signal) {
    if (told) yield* past(told, signal)
    const backlog = createBacklog<Notice>(MAXIMUM_WAITING, timers, signal)
    const { stop, cursor } = told
      ? catchUp(feed, told, backlog)
      : { stop: feed.follow(backlog.add), cursor: feed.cursor }
    try {
      yield* present(backlog, cursor, signal)
    } finally {
      stop()
    }
  }
}

async function* present(backlog: Backlog<Notice>, cursor: () => string, signal: AbortSignal) {
  let isQuiet = true
  while (!signal.aborted) {
    const notice = backlog.next()
    if (notice || isQuiet) yield notice ?? { change: undefined, cursor: cursor() }
    isQuiet = notice === undefined && (await backlog.isSilent(QUIET_MS))
  }
}

/** Follows the feed for somebody who may know more than it does: what another process has told, and the store not yet. */
function catchUp(feed: LiveFeed, told: Progress, backlog: Backlog<Notice>) {
  for (const notice of newsIn(feed.recent(), told, told.settled)) backlog.add(notice)
  const { last } = told
  const isAhead = (): boolean => feed.settled < last
  const tell = (notice: Notice): void => {
    if (!isAhead()) backlog.add(notice)
    else for (const news of newsIn([notice.change], told, told.settled)) backlog.add(news)
  }
  return { stop: feed.follow(tell), cursor: () => (isAhead() ? told.cursor : feed.cursor()) }
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
