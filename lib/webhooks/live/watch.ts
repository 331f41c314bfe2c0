import { unavailable } from '../../errors.ts'
import type { Cancel, Timers } from '../../runtime/async.ts'
import { millisecondsOf } from '../../runtime/ids.ts'
import { SlowClient } from '../../runtime/limits.ts'
import type { Clock } from '../../runtime/time.ts'
import { type EventChange, least, positionOf, type WatchCursor } from './cursor.ts'
import type { ChangeReader, LiveFeed, Notice } from './feed.ts'

/** No change yet, or none for a while; its cursor is as good as that of a change. */
export interface Quiet {
  readonly change: undefined
  readonly cursor: string
}

/**
 * Every change from now on. With a cursor: first the last change of each event that changed since, then each change as
 * it happens. A slow watcher still reads stored changes until it is close enough to follow the feed.
 * @throws ServiceError `UNAVAILABLE` if the watcher falls behind, or if the stored changes cannot be read
 */
export type Watch = (delivered: WatchCursor | undefined, signal: AbortSignal) => AsyncIterable<Notice | Quiet>

interface WatchParts {
  readonly feed: LiveFeed
  readonly reader: ChangeReader
  readonly timers: Timers
  readonly lags?: Pick<Lags, 'add'>
}

/**
 * Time without changes after which a watch reports that it is quiet, in milliseconds; shorter than load balancers' idle
 * timeouts.
 */
export const QUIET_MS = 30_000

const MAXIMUM_WAITING = 1000

/**
 * Maximum number of missed changes when a watcher starts to follow the feed: it leaves room for those that arrive
 * meanwhile.
 */
const MAXIMUM_MISSED = MAXIMUM_WAITING / 2

interface Present {
  readonly stop: () => void
  readonly cursor: () => string
}

export function createWatch({ feed, reader, timers, lags }: WatchParts): Watch {
  async function* stored(delivered: WatchCursor, signal: AbortSignal): AsyncGenerator<Notice> {
    let complete = delivered.settled
    for (let position: bigint | undefined = complete; position !== undefined && !signal.aborted; ) {
      // A change that became visible late can lie before the page just read. Now that all of them are visible, read
      // again from the delivered position.
      if (position <= feed.settled) {
        position = delivered.settled
        complete = feed.settled
      }
      const { changes, upTo } = await reader.after(position)
      // The cursors of all watchers must cover every change that one watcher received.
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
    const leave = feed.join()
    const backlog = createBacklog<Notice>(MAXIMUM_WAITING, timers, signal)
    let present = delivered ? undefined : { stop: feed.follow(backlog.add), cursor: feed.cursor }
    const forget = lags?.add(() => {
      if (!present) return delivered?.settled
      return backlog.oldest && positionOf(backlog.oldest.change)
    })
    try {
      await feed.ready()
      // A slow watcher takes time, in which more changes arrive.
      while (delivered && !present && !signal.aborted) {
        yield* past(delivered, signal)
        present = catchUp(feed, delivered, backlog)
      }
      if (present) yield* follow(backlog, present.cursor, signal)
    } finally {
      forget?.()
      present?.stop()
      leave()
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
 * Follows the feed for a watcher that may be ahead of it: another process may have delivered changes that the store
 * does not show yet.
 * @returns undefined while too many changes are undelivered
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
 * The changes that the watcher has not received.
 * @param settled the position up to which the changes are complete and in order
 */
function* newsIn(changes: Iterable<EventChange>, delivered: WatchCursor, settled: bigint): Generator<Notice> {
  for (const change of changes) {
    if (delivered.note(change, settled)) yield { change, cursor: delivered.cursor }
  }
  delivered.settle(settled)
}

/** A queue of items for a consumer that takes one at a time. */
interface Backlog<T> {
  add(item: T): void
  /** @throws ServiceError `UNAVAILABLE` once too many items have waited */
  next(): T | undefined
  /** What has waited longest. */
  readonly oldest: T | undefined
  /** Settles when there is an item (false), when none arrived in that time (true), or on an abort. */
  isSilent(milliseconds: number): Promise<boolean>
}

export function createBacklog<T>(limit: number, timers: Timers, signal: AbortSignal): Backlog<T> {
  const waiting: T[] = []
  let isOverdue = false
  let wake: (isSilent: boolean) => void = () => {}
  signal.addEventListener('abort', () => wake(false), { once: true })

  return {
    add(item) {
      if (waiting.length < limit) waiting.push(item)
      else isOverdue = true
      wake(false)
    },
    next() {
      if (isOverdue) throw unavailable(new SlowClient('changes are taken too slowly'))
      return waiting.shift()
    },
    get oldest() {
      return waiting[0]
    },
    async isSilent(milliseconds) {
      if (waiting.length > 0 || signal.aborted) return false
      const { promise, resolve } = Promise.withResolvers<boolean>()
      wake = resolve
      const cancel = timers.after(milliseconds, () => resolve(true))
      const isSilent = await promise
      cancel()
      return isSilent
    },
  }
}

/** How far those who watch are behind. */
export interface Lags {
  /**
   * @param waiting the position of the oldest change that a watch has not sent yet; undefined if there is none
   * @returns a function that removes the watch
   */
  add(waiting: () => bigint | undefined): Cancel
  /** Of the slowest, in milliseconds; 0 when nothing waits. */
  greatest(): number
}

export function createLags(clock: Clock): Lags {
  const watches = new Set<() => bigint | undefined>()
  return {
    add(waiting) {
      watches.add(waiting)
      return () => watches.delete(waiting)
    },
    greatest() {
      const now = clock.now().getTime()
      let greatest = 0
      for (const waiting of watches) {
        const position = waiting()
        if (position !== undefined) greatest = Math.max(greatest, now - millisecondsOf(position))
      }
      return greatest
    },
  }
}
