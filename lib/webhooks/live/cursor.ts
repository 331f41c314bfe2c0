import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { firstIdAt, LAST_ID, millisecondsOf, namedIdAt } from '../../runtime/ids.ts'
import type { EventRecord } from '../detail.ts'
import type { EventKey } from '../event.ts'

type Positioned = Pick<EventChange, 'changeId' | 'source' | 'eventId'>

/**
 * How long after its time a change can still become visible, in milliseconds: a function that writes changes runs for
 * at most ten seconds, then the index follows the table, and clocks differ.
 */
export const SETTLING_MS = 15_000

/** Maximum number of events that a cursor names. Changes of events that it does not name may be delivered again. */
const MAXIMUM_NAMED = 512

const POSITION_BYTES = 8
const HASH_BYTES = 4
const DELAY_BYTES = 2
const ENTRY_BYTES = HASH_BYTES + DELAY_BYTES
const MAXIMUM_BYTES = POSITION_BYTES + MAXIMUM_NAMED * ENTRY_BYTES
const MAXIMUM_DELAY = 2 ** (8 * DELAY_BYTES) - 1

export function positionOf({ changeId }: Pick<EventChange, 'changeId'>): bigint {
  return BigInt(changeId)
}

export function eventName({ source, eventId }: EventKey): string {
  return `${source}\0${eventId}`
}

/** A 32-bit hash that stands for an event in a cursor. */
export function hashOf(event: EventKey): number {
  return createHash('sha256').update(eventName(event)).digest().readUInt32BE()
}

/** The position up to which all changes are visible at a given time. */
export function settledAt(milliseconds: number): bigint {
  return firstIdAt(milliseconds - SETTLING_MS)
}

/**
 * The changes that a watcher has received, as a text to resume after: all changes up to a position and, for each event
 * with one of these hashes, all its changes up to the millisecond of a later position.
 */
export function watchCursorOf(settled: bigint, ahead: readonly (readonly [hash: number, position: bigint])[]): string {
  const start = millisecondsOf(settled)
  const named = ahead.slice(-MAXIMUM_NAMED)
  const bytes = Buffer.alloc(POSITION_BYTES + named.length * ENTRY_BYTES)
  bytes.writeBigUInt64BE(settled)
  for (const [index, [hash, position]] of named.entries()) {
    const at = POSITION_BYTES + index * ENTRY_BYTES
    bytes.writeUInt32BE(hash, at)
    bytes.writeUIntBE(Math.min(MAXIMUM_DELAY, millisecondsOf(position) - start), at + HASH_BYTES, DELAY_BYTES)
  }
  return bytes.toString('base64url')
}

/** The changes that a watcher has received so far. */
export class WatchCursor {
  #settled: bigint
  /** The last received change of each event after `settled`, by the event's hash. */
  readonly #ahead = new Map<number, bigint>()

  private constructor(settled: bigint) {
    this.#settled = settled
  }

  /** Parses a cursor; undefined for a text that is no cursor. */
  static read(cursor: string): WatchCursor | undefined {
    const bytes = Buffer.from(cursor, 'base64url')
    const isWhole = bytes.length >= POSITION_BYTES && (bytes.length - POSITION_BYTES) % ENTRY_BYTES === 0
    if (!isWhole || bytes.length > MAXIMUM_BYTES || bytes.toString('base64url') !== cursor) return undefined
    const settled = bytes.readBigUInt64BE()
    if (settled > LAST_ID) return undefined
    const progress = new WatchCursor(settled)
    for (let at = POSITION_BYTES; at < bytes.length; at += ENTRY_BYTES) {
      const delay = bytes.readUIntBE(at + HASH_BYTES, DELAY_BYTES)
      progress.#ahead.set(bytes.readUInt32BE(at), firstIdAt(millisecondsOf(settled) + delay + 1) - 1n)
    }
    return progress
  }

  get settled(): bigint {
    return this.#settled
  }

  /** The position of the last received change. */
  get last(): bigint {
    return this.#ahead.values().reduce((last, position) => (position > last ? position : last), this.#settled)
  }

  get cursor(): string {
    return watchCursorOf(this.#settled, [...this.#ahead])
  }

  /** The hashes of the events that it names. */
  get named(): Iterable<number> {
    return this.#ahead.keys()
  }

  /** The same without the events of other hashes. */
  naming(hashes: ReadonlySet<number>): WatchCursor {
    const fewer = new WatchCursor(this.#settled)
    for (const [hash, position] of this.#ahead) if (hashes.has(hash)) fewer.#ahead.set(hash, position)
    return fewer
  }

  /** Whether the watcher has received this change or a later one of the same event. */
  isDelivered(change: Positioned): boolean {
    return positionOf(change) <= (this.#ahead.get(hashOf(change)) ?? this.#settled)
  }

  /**
   * Records a change as received.
   * @param settled the position up to which changes come complete and in order
   * @returns whether the change was new
   */
  note(change: Positioned, settled: bigint): boolean {
    const isFresh = !this.isDelivered(change)
    const position = positionOf(change)
    if (isFresh) this.#ahead.set(hashOf(change), position)
    // Another change may have the same position.
    this.settle(position <= settled ? position - 1n : settled)
    return isFresh
  }

  /** Records that all changes up to a position have been received. */
  settle(position: bigint): void {
    if (position <= this.#settled) return
    this.#settled = position
    for (const [hash, last] of this.#ahead) if (last <= position) this.#ahead.delete(hash)
  }
}

export function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}

/** A change of an event: enough to name and to show the event, never its payload. */
export interface EventChange extends Pick<EventRecord, 'id' | keyof EventKey | 'eventType' | 'receivedAt'> {
  /** Decimal: the event's own id after the intake, that of {@link changeIdOf} after later changes. */
  readonly changeId: string
  readonly status: string
  readonly proof?: EventRecord['proof'] | undefined
}

/** The position of a later change of an event in the order of all changes: by its time, to the millisecond. */
export function changeIdOf({ source, eventId }: EventKey, at: Date): bigint {
  return namedIdAt(at.getTime(), `${source}\0${eventId}`)
}
