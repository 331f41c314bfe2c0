import * as sliding from '../../runtime/sliding-window.ts'

/** How many further permits a lease takes ahead: at most one counter request per eleven calls. */
const AHEAD = 10

/** Permits that this instance has taken. It uses them in ascending order. */
interface PermitLease extends Pick<Tally, 'minute' | 'before'> {
  readonly next: number
  readonly last: number
  /** This lease's share of the tally's `spare`. */
  readonly spare: number
}

/** The state that one instance keeps for one caller at one endpoint. */
export interface CallerState {
  readonly name: string
  seen: Tally | undefined
  lease: PermitLease | undefined
  /** Set while a counter request is pending. */
  asking: Promise<void> | undefined
}

/** The permits requested for a minute, and the bounds on its tally within which the counter grants them. */
export interface PermitDemand extends Pick<Tally, 'minute' | 'before'> {
  readonly count: number
  /** The change of the tally's `spare`. */
  readonly spare: number
  readonly maximumTaken: number
  readonly maximumSpare: number
}

export function newCallerState(name: string): CallerState {
  return { name, seen: undefined, lease: undefined, asking: undefined }
}

/** Milliseconds until a call is allowed, 0 for now; undefined if only the counter can decide. */
export function waitOf(caller: CallerState, now: number, limit: number): number | undefined {
  const { lease, seen } = caller
  if (lease && isUsable(lease, now)) return until(permitOpensAt(lease, lease.next, limit), lease, now)
  if (!seen) return undefined
  const tally = currentTally(caller, now)
  return until(nextPermitOpensAt(tally, limit), tally, now) || undefined
}

/** Uses the permit of an allowed call; call it after {@link waitOf} returned 0. */
export function usePermit(caller: CallerState): void {
  if (caller.lease) caller.lease = { ...caller.lease, next: caller.lease.next + 1 }
}

export function keepLease(caller: CallerState, { minute, before, taken }: Tally, count: number): void {
  caller.lease = { minute, before, next: taken - count + 1, last: taken, spare: count - 1 }
}

/** The tally of this minute, as far as this instance knows it. */
export function currentTally({ seen, lease }: CallerState, now: number): Tally {
  const mine = lease?.minute === seen?.minute ? lease : undefined
  const unusedHere = mine ? mine.last - mine.next + 1 : 0
  const unusedElsewhere = (seen?.spare ?? 0) - (mine?.spare ?? 0)
  return tallyIn(minuteOf(now), seen, unusedHere + unusedElsewhere)
}

/**
 * The next lease: one permit for the current call and further ones, within the limit on unused permits of all
 * instances.
 * @param tally whose next permit is free
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
 * The calls of one caller to one endpoint, in a row that all instances share. A minute has the permits 1 to `limit`,
 * and each allowed call uses one. `docs/decisions/0006-rate-limit.md` says why.
 */
export interface Tally {
  /** Minutes since the epoch. */
  readonly minute: number
  /** The number of calls in the minute before. */
  readonly before: number
  /** The highest permit that an instance has taken. */
  readonly taken: number
  /** Maximum number of taken permits that may still be unused. */
  readonly spare: number
}

type Minute = Pick<Tally, 'minute' | 'before'>

export const MINUTE = 60_000

export function minuteOf(now: number): number {
  return Math.floor(now / MINUTE)
}

/** The time within a minute: a clock that lags behind other instances counts as the beginning of their minute. */
export function timeIn({ minute }: Pick<Tally, 'minute'>, now: number): number {
  return Math.max(now, minute * MINUTE)
}

/** When a permit may be used, in milliseconds since the epoch. */
export function permitOpensAt(minute: Minute, number: number, limit: number): number {
  return sliding.opensAt(windowOf(minute), number, limit)
}

/** The highest permit that may be used at a time within the minute. */
export function permitsOpenAt(minute: Minute, at: number, limit: number): number {
  return sliding.openAt(windowOf(minute), at, limit)
}

/** When the next permit that no instance has taken may be used; if all are taken, in the next minute. */
export function nextPermitOpensAt(tally: Tally, limit: number): number {
  return sliding.nextOpensAt(windowOf(tally), tally.taken, limit)
}

function windowOf({ minute, before }: Minute): sliding.Window {
  return { start: minute * MINUTE, length: MINUTE, before }
}

/**
 * The tally of this minute, derived from the last one seen.
 * @param unused how many of the taken permits may be unused; they never count as calls of the caller
 */
export function tallyIn(minute: number, seen: Tally | undefined, unused: number): Tally {
  if (seen?.minute === minute || seen?.minute === minute + 1) return seen
  const before = seen?.minute === minute - 1 ? seen.taken - unused : 0
  return { minute, before, taken: 0, spare: 0 }
}

/** Maximum number of unused permits in all instances together: a tenth of the limit. */
export function spareOf(limit: number): number {
  return Math.floor(limit / 10)
}
