import * as sliding from '../../platform/sliding-window.ts'

/**
 * How often one caller came to one endpoint, in a row that all instances share. A minute has the numbers 1 to `limit`,
 * and each call that is let through uses one up. `docs/decisions/0006-rate-limit.md` says why.
 */
export interface Tally {
  /** Minutes since the epoch. */
  readonly minute: number
  /** The calls of the minute before. */
  readonly before: number
  /** The highest number that an instance has taken. */
  readonly taken: number
  /** How many of the taken numbers may still be unused, at most. */
  readonly spare: number
}

type Minute = Pick<Tally, 'minute' | 'before'>

export const MINUTE = 60_000

export function minuteOf(now: number): number {
  return Math.floor(now / MINUTE)
}

/** The time as a minute sees it: a clock that is behind those of other instances is at the beginning of theirs. */
export function timeIn({ minute }: Pick<Tally, 'minute'>, now: number): number {
  return Math.max(now, minute * MINUTE)
}

/** When a number may be used, in milliseconds since the epoch. */
export function opensAt(minute: Minute, number: number, limit: number): number {
  return sliding.opensAt(windowOf(minute), number, limit)
}

/** The highest number that may be used at a time within the minute. */
export function openAt(minute: Minute, at: number, limit: number): number {
  return sliding.openAt(windowOf(minute), at, limit)
}

/** When the next number that nobody has taken may be used; that is in the next minute once all are taken. */
export function nextOpensAt(tally: Tally, limit: number): number {
  return sliding.nextOpensAt(windowOf(tally), tally.taken, limit)
}

function windowOf({ minute, before }: Minute): sliding.Window {
  return { start: minute * MINUTE, length: MINUTE, before }
}

/**
 * The tally of this minute, from the one that was last seen.
 * @param unused how many of the numbers seen as taken nobody may have used; they never weigh on a caller
 */
export function tallyIn(minute: number, seen: Tally | undefined, unused: number): Tally {
  if (seen?.minute === minute || seen?.minute === minute + 1) return seen
  const before = seen?.minute === minute - 1 ? seen.taken - unused : 0
  return { minute, before, taken: 0, spare: 0 }
}

/** How many numbers may lie unused at all instances together: a tenth of the limit. */
export function spareOf(limit: number): number {
  return Math.floor(limit / 10)
}
