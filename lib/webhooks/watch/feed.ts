import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Cancel, Timers } from '../../platform/timers.ts'
import type { EventChange } from '../change-feed.ts'
import { cursorOf, hashOf, positionOf, settledAt } from './progress.ts'

export interface ChangePage {
  /** In the order of their positions, complete up to `upTo`. */
  readonly changes: readonly EventChange[]
  /** Undefined once there are no more. */
  readonly upTo: bigint | undefined
}

/** The last change of each event, by position; it may be a moment behind the events themselves. */
export interface ChangeReader {
  /** The changes behind a position, some hundreds at most. @throws ServiceError `UNAVAILABLE` */
  after(position: bigint): Promise<ChangePage>
}

/** A change on its way to those who watch, and what to resume after once it has been taken. */
export interface Notice {
  readonly change: EventChange
  readonly cursor: string
}

/** Must not throw. */
type Listener = (notice: Notice) => void

/**
 * All changes, each told once: hints are quick and may get lost, the store is read behind them. Nobody is told of an
 * event's earlier change after a later one.
 */
export interface LiveFeed {
  /** Settles after the first reading, whatever became of it, and does not throw; reads on until it is stopped. */
  start(): Promise<void>
  stop(): void
  /** Takes a change, in any order and any number of times. */
  hear(change: EventChange): void
  follow(listener: Listener): Cancel
  /** What has been heard of late: it may not be in the store's index yet. */
  recent(): Iterable<EventChange>
  /** The position up to which everything has been told. */
  readonly settled: bigint
  /** What somebody who has been told everything resumes after. */
  cursor(): string
}

interface FeedParts {
  readonly reader: ChangeReader
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
}

const READ_EVERY_MS = 2000

/** More than that change only while the store cannot be read; of those forgotten, some may be told twice. */
const MAXIMUM_HEARD = 20_000

interface Heard {
  readonly change: EventChange
  readonly position: bigint
}

export function createLiveFeed({ reader, clock, timers, log }: FeedParts): LiveFeed {
  /** By the hash of an event the last of its changes, behind `settled`. */
  const heard = new Map<number, Heard>()
  const listeners = new Set<Listener>()
  let settled = settledAt(clock.now().getTime())
  let isBlind = false
  let isStopped = false
  let cancel: Cancel = () => {}

  function cursor(): string {
    return cursorOf(
      settled,
      Array.from(heard, ([hash, { position }]) => [hash, position] as const),
    )
  }

  function hear(change: EventChange): void {
    const hash = hashOf(change)
    const position = positionOf(change)
    const known = heard.get(hash)?.position ?? settled
    if (position <= known) return
    // Set anew, so that the map stays in the order of hearing.
    heard.delete(hash)
    heard.set(hash, { change, position })
    const notice = { change, cursor: cursor() }
    for (const listener of listeners) listener(notice)
  }

  function settle(position: bigint): void {
    if (position > settled) settled = position
    let surplus = heard.size - MAXIMUM_HEARD
    for (const [hash, { position: at }] of heard) if (at <= settled || surplus-- > 0) heard.delete(hash)
  }

  async function readOn(): Promise<void> {
    const complete = settledAt(clock.now().getTime())
    for (let position: bigint | undefined = settled; position !== undefined; ) {
      const { changes, upTo } = await reader.after(position)
      for (const change of changes) hear(change)
      position = upTo
    }
    settle(complete)
  }

  async function read(): Promise<void> {
    try {
      await readOn()
      if (isBlind) log.info('changes can be read again')
      isBlind = false
    } catch (cause) {
      if (!isBlind) log.warn('changes cannot be read, hints still come', { cause })
      isBlind = true
    }
  }

  async function keepReading(): Promise<void> {
    await read()
    if (!isStopped) cancel = timers.after(READ_EVERY_MS, () => void keepReading())
  }

  return {
    start: keepReading,
    stop() {
      isStopped = true
      cancel()
    },
    hear,
    follow(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    recent: () => Array.from(heard.values(), ({ change }) => change),
    get settled() {
      return settled
    },
    cursor,
  }
}
