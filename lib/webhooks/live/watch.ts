import type { Timers } from '../../runtime/timers.ts'
import { type Backlog, createBacklog } from './backlog.ts'
import type { EventChange } from './change-feed.ts'
import { least, type WatchCursor } from './cursor.ts'
import type { ChangeReader, LiveFeed, Notice } from './feed.ts'

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
export type Watch = (delivered: WatchCursor | undefined, signal: AbortSignal) => AsyncIterable<Notice | Quiet>

interface WatchParts {
  readonly feed: LiveFeed
  readonly reader: ChangeReader
  readonly timers: Timers
}

/** How long nothing is said, in milliseconds: less than load balancers let a connection be silent. */
export const QUIET_MS = 30_000

const MAXIMUM_WAITING = 1000

/** How many changes one may be behind when the present begins: room is left for those that come meanwhile. */
const MAXIMUM_MISSED = MAXIMUM_WAITING / 2

interface Present {
  readonly stop: () => void
  readonly cursor: () => string
}

export function createWatch({ feed, reader, timers }: WatchParts): Watch {
  async function* stored(delivered: WatchCursor, signal: AbortSignal): AsyncGenerator<Notice> {
    let complete = delivered.settled
    for (let position: bigint | undefined = complete; position !== undefined && !signal.aborted; ) {
      // What comes to light late may lie behind the page before: from there on once more, now that it all has.
      if (position <= feed.settled) {
        position = delivered.settled
        complete = feed.settled
      }
      const { changes, upTo } = await reader.after(position)
      // What one is told of must be in the cursors of all.
      for (const change of changes) feed.hear(change)
      yield* newsIn(changes, delivered, least(upTo ?? complete, complete))
      position = upTo
    }
  }

  function past(delivered: WatchCursor, signal: AbortSignal): AsyncGenerator<Notice> | Generator<Notice> {
    const remembered = feed.after(delivered.settled)
    return remembered ? newsIn(remembered, delivered, feed.settled) : stored(delivered, signal)
  }

  return async function* watch(delivered, signal) {
    const backlog = createBacklog<Notice>(MAXIMUM_WAITING, timers, signal)
    let present = delivered ? undefined : { stop: feed.follow(backlog.add), cursor: feed.cursor }
    // Telling a slow one takes its time, in which more comes.
    while (delivered && !present && !signal.aborted) {
      yield* past(delivered, signal)
      present = catchUp(feed, delivered, backlog)
    }
    if (!present) return
    try {
      yield* follow(backlog, present.cursor, signal)
    } finally {
      present.stop()
    }
  }
}

async function* follow(backlog: Backlog<Notice>, cursor: () => string, signal: AbortSignal) {
  let isQuiet = true
  while (!signal.aborted) {
    const notice = backlog.next()
    if (notice || isQuiet) yield notice ?? { change: undefined, cursor: cursor() }
    isQuiet = notice === undefined && (await backlog.isSilent(QUIET_MS))
  }
}

/**
 * Follows the feed for somebody who may know more than it does: what another process has told, and the store not yet.
 * @returns nothing as long as there is too much that has not been told
 */
function catchUp(feed: LiveFeed, delivered: WatchCursor, backlog: Backlog<Notice>): Present | undefined {
  const missed = feed.after(delivered.settled)?.filter((change) => !delivered.isDelivered(change))
  if (!missed || missed.length > MAXIMUM_MISSED) return undefined
  for (const notice of newsIn(missed, delivered, delivered.settled)) backlog.add(notice)
  const { last } = delivered
  const isAhead = (): boolean => feed.settled < last
  const tell = (notice: Notice): void => {
    if (!isAhead()) backlog.add(notice)
    else for (const news of newsIn([notice.change], delivered, delivered.settled)) backlog.add(news)
  }
  return { stop: feed.follow(tell), cursor: () => (isAhead() ? delivered.cursor : feed.cursor()) }
}

/**
 * What has not been told.
 * @param settled the position up to which the changes are complete and in order
 */
function* newsIn(changes: Iterable<EventChange>, delivered: WatchCursor, settled: bigint): Generator<Notice> {
  for (const change of changes) {
    if (delivered.note(change, settled)) yield { change, cursor: delivered.cursor }
  }
  delivered.settle(settled)
}
