import * as sliding from '../../runtime/sliding-window.ts'

/** How many numbers are taken beside the one that is needed: at most one request for eleven calls. */
const AHEAD = 10

/** Numbers that this instance has taken and uses from the lowest on. */
interface PermitLease extends Pick<Tally, 'minute' | 'before'> {
  readonly next: number
  readonly last: number
  /** Its share of the tally's `spare`. */
  readonly spare: number
}

/** What one instance knows of one caller at one endpoint. */
export interface CallerState {
  readonly name: string
  seen: Tally | undefined
  lease: PermitLease | undefined
  /** While the counter is asked. */
  asking: Promise<void> | undefined
}

/** Numbers wanted of a minute, and the bounds of its tally within which they are given out. */
export interface PermitDemand extends Pick<Tally, 'minute' | 'before'> {
  readonly count: number
  /** What the tally's `spare` changes by. */
  readonly spare: number
  readonly maximumTaken: number
  readonly maximumSpare: number
}

export function newCallerState(name: string): CallerState {
  return { name, seen: undefined, lease: undefined, asking: undefined }
}

/** Milliseconds until a call may be let through, 0 for now; undefined when only the counter can tell. */
export function waitOf(caller: CallerState, now: number, limit: number): number | undefined {
  const { lease, seen } = caller
  if (lease && isUsable(lease, now)) return until(permitOpensAt(lease, lease.next, limit), lease, now)
  if (!seen) return undefined
  const tally = currentTally(caller, now)
  return until(nextPermitOpensAt(tally, limit), tally, now) || undefined
}

/** Lets a call through: {@link waitOf} said 0. */
export function usePermit(caller: CallerState): void {
  if (caller.lease) caller.lease = { ...caller.lease, next: caller.lease.next + 1 }
}

export function keepLease(caller: CallerState, { minute, before, taken }: Tally, count: number): void {
  caller.lease = { minute, before, next: taken - count + 1, last: taken, spare: count - 1 }
}

/** The tally of this minute as far as it is known here. */
export function currentTally({ seen, lease }: CallerState, now: number): Tally {
  const mine = lease?.minute === seen?.minute ? lease : undefined
  const unusedHere = mine ? mine.last - mine.next + 1 : 0
  const unusedElsewhere = (seen?.spare ?? 0) - (mine?.spare ?? 0)
  return tallyIn(minuteOf(now), seen, unusedHere + unusedElsewhere)
}

/**
 * The next lease: one number for the call at hand and some ahead, if they may lie unused beside those of other instances.
 * @param tally whose next number is open
 */
export function permitDemand({ lease }: CallerState, tally: Tally, now: number, limit: number): PermitDemand {
  const { minute, before, taken, spare } = tally
  const mine = lease?.minute === minute ? lease.spare : 0
  const room = Math.max(0, spareOf(limit) - (spare - mine))
  const count = Math.min(1 + Math.min(AHEAD, room), limit - taken)
  return {
    minute,
    before,
    count,
    spare: count - 1 - mine,
    maximumTaken: Math.min(limit - count, permitsOpenAt(tally, timeIn(tally, now), limit) - 1),
    maximumSpare: count > 1 ? spareOf(limit) - (count - 1) + mine : limit,
  }
}

function isUsable({ minute, next, last }: PermitLease, now: number): boolean {
  return next <= last && minute >= minuteOf(now)
}

function until(opening: number, tally: Pick<Tally, 'minute'>, now: number): number {
  return Math.max(0, opening - timeIn(tally, now))
}

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
export function permitOpensAt(minute: Minute, number: number, limit: number): number {
  return sliding.opensAt(windowOf(minute), number, limit)
}

/** The highest number that may be used at a time within the minute. */
export function permitsOpenAt(minute: Minute, at: number, limit: number): number {
  return sliding.openAt(windowOf(minute), at, limit)
}

/** When the next number that nobody has taken may be used; that is in the next minute once all are taken. */
export function nextPermitOpensAt(tally: Tally, limit: number): number {
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
