import { type Cancel, createReading, type Timers } from '../../runtime/async.ts'
import { firstIdAt } from '../../runtime/ids.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/time.ts'
import {
  type EventChange,
  eventName,
  hashOf,
  least,
  positionOf,
  SETTLING_MS,
  settledAt,
  watchCursorOf,
} from './cursor.ts'

export interface ChangePage {
  /** Ordered by position, complete up to `upTo`. */
  readonly changes: readonly EventChange[]
  /** Undefined on the last page. */
  readonly upTo: bigint | undefined
}

/** Reads the last change of each event, ordered by position; it may lag slightly behind the events themselves. */
export interface ChangeReader {
  /** The changes after a position, some hundreds at most. @throws ServiceError `UNAVAILABLE` */
  after(position: bigint): Promise<ChangePage>
}

/** A change on its way to watchers, and the cursor to resume after once the watcher has taken it. */
export interface Notice {
  readonly change: EventChange
  readonly cursor: string
}

/** Must not throw. */
type Listener = (notice: Notice) => void

/**
 * Delivers every change once. It reads the store while a watcher has joined it, and makes no request otherwise. A watcher
 * never receives an earlier change of an event after a later one.
 */
export interface LiveFeed {
  /** Begins to read, if it is the first. */
  join(): Cancel
  /** Undefined once what changed before the first one joined is known; else settles after a read, even a failed one. */
  ready(): Promise<void> | undefined
  /** Accepts a change, in any order and any number of times. */
  hear(change: EventChange): void
  follow(listener: Listener): Cancel
  /** The changes after a position, if all are still in memory: many clients may reconnect at the same time. */
  after(position: bigint): readonly EventChange[] | undefined
  /** Low watermark: every change up to it was delivered. */
  readonly settled: bigint
  /** The cursor of a watcher that has received everything. */
  cursor(): string
}

interface FeedParts {
  readonly reader: ChangeReader
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
  /** How long a change stays in memory after it has become visible, in milliseconds. */
  readonly memory: number
}

const READ_EVERY_MS = 500

/** Most changes are visible after this time, in milliseconds; what is later is found by a read of all, one in four. */
const MOSTLY_VISIBLE_MS = 5000
const WHOLE_EVERY = 4

const MAXIMUM_HEARD = 20_000

interface Heard {
  readonly change: EventChange
  readonly position: bigint
  readonly hash: number
}

export function createLiveFeed({ reader, clock, timers, log, memory }: FeedParts): LiveFeed {
  /** The last change of each event by the event's name, for all changes after `forgotten`. */
  const heard = new Map<string, Heard>()
  const listeners = new Set<Listener>()
  let settled = settledAt(clock.now().getTime())
  let forgotten = settled
  let isBlind = false
  /** Watchers do not receive changes before it: they were made before the first one joined. Undefined once they are known. */
  let beginning: bigint | undefined

  function cursor(): string {
    const ahead: [number, bigint][] = []
    for (const { hash, position } of heard.values()) if (position > settled) ahead.push([hash, position])
    return watchCursorOf(settled, ahead)
  }

  function changesAfter(position: bigint): readonly EventChange[] {
    const later = Array.from(heard.values()).filter((each) => each.position > position)
    return later.sort(byPosition).map(({ change }) => change)
  }

  function hear(change: EventChange): void {
    const name = eventName(change)
    const position = positionOf(change)
    const known = heard.get(name)?.position ?? settled
    if (position <= settled || position <= known) return
    // Delete and set again, so that the map keeps the order of arrival.
    heard.delete(name)
    heard.set(name, { change, position, hash: hashOf(change) })
    if (listeners.size === 0 || (beginning !== undefined && position < beginning)) return
    const notice = { change, cursor: cursor() }
    for (const listener of listeners) listener(notice)
  }

  function settle(position: bigint): void {
    if (position > settled) settled = position
    forget(firstIdAt(clock.now().getTime() - SETTLING_MS - memory))
  }

  /** Drops the changes up to a position; if there are too many, also later ones. */
  function forget(upTo: bigint): void {
    const limit = least(upTo, settled)
    const old = Array.from(heard).filter(([, { position }]) => position <= limit)
    const surplus = Array.from(heard).slice(0, Math.max(0, heard.size - MAXIMUM_HEARD))
    for (const [name] of [...old, ...surplus]) heard.delete(name)
    for (const position of [limit, ...surplus.map(([, each]) => each.position)]) {
      if (position > forgotten) forgotten = position
    }
  }

  /** Hears all changes after a position. @returns false once all for whom it reads have left */
  async function hearFrom(start: bigint, isOver: () => boolean): Promise<boolean> {
    for (let position: bigint | undefined = start; position !== undefined; ) {
      const { changes, upTo } = await reader.after(position)
      if (isOver()) return false
      for (const change of changes) hear(change)
      position = upTo
    }
    return true
  }

  async function readOn(isWhole: boolean, isOver: () => boolean): Promise<void> {
    const now = clock.now().getTime()
    const recent = firstIdAt(now - MOSTLY_VISIBLE_MS)
    if (!(await hearFrom(isWhole || recent < settled ? settled : recent, isOver))) return
    if (isWhole) settle(settledAt(now))
    beginning = undefined
  }

  async function read(round: number, isOver: () => boolean): Promise<void> {
    try {
      await readOn(isBlind || round % WHOLE_EVERY === 0, isOver)
      if (isBlind) log.info('changes can be read again')
      isBlind = false
    } catch (cause) {
      if (!isBlind) log.warn('changes cannot be read', { cause })
      isBlind = true
    }
  }

  function begin(): void {
    const now = clock.now().getTime()
    heard.clear()
    settled = settledAt(now)
    forgotten = settled
    beginning = firstIdAt(now)
  }

  const { join, first } = createReading({ timers, pause: READ_EVERY_MS, begin, read })

  return {
    join,
    ready: () => (beginning === undefined ? undefined : first()),
    hear,
    follow(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    after: (position) => (position < forgotten ? undefined : changesAfter(position)),
    get settled() {
      return settled
    },
    cursor,
  }
}

function byPosition({ position: one }: Heard, { position: other }: Heard): number {
  return one < other ? -1 : 1
}

/** The JSON that a watcher receives for a change. */
export function changeBody({ change, cursor }: Notice): string {
  const { id, source, eventId, eventType, status, receivedAt, proof } = change
  return JSON.stringify({ cursor, id, source, eventId, eventType, status, receivedAt, proof })
}
