import { minuteOf, nextOpensAt, openAt, opensAt, spareOf, type Tally, tallyIn, timeIn } from './tally.ts'

/** How many numbers are taken beside the one that is needed: at most one request for eleven calls. */
const AHEAD = 10

/** Numbers that this instance has taken and uses from the lowest on. */
interface Strip extends Pick<Tally, 'minute' | 'before'> {
  readonly next: number
  readonly last: number
  /** Its share of the tally's `spare`. */
  readonly spare: number
}

/** What one instance knows of one caller at one endpoint. */
export interface Caller {
  readonly name: string
  seen: Tally | undefined
  strip: Strip | undefined
  /** While the counter is asked. */
  asking: Promise<void> | undefined
}

/** Numbers wanted of a minute, and the bounds of its tally within which they are given out. */
export interface Demand extends Pick<Tally, 'minute' | 'before'> {
  readonly count: number
  /** What the tally's `spare` changes by. */
  readonly spare: number
  readonly maximumTaken: number
  readonly maximumSpare: number
}

export function newCaller(name: string): Caller {
  return { name, seen: undefined, strip: undefined, asking: undefined }
}

/** Milliseconds until a call may be let through, 0 for now; undefined when only the counter can tell. */
export function waitOf(caller: Caller, now: number, limit: number): number | undefined {
  const { strip, seen } = caller
  if (strip && isUsable(strip, now)) return until(opensAt(strip, strip.next, limit), strip, now)
  if (!seen) return undefined
  const tally = currentTally(caller, now)
  return until(nextOpensAt(tally, limit), tally, now) || undefined
}

/** Lets a call through: {@link waitOf} said 0. */
export function useNumber(caller: Caller): void {
  if (caller.strip) caller.strip = { ...caller.strip, next: caller.strip.next + 1 }
}

export function keepStrip(caller: Caller, { minute, before, taken }: Tally, count: number): void {
  caller.strip = { minute, before, next: taken - count + 1, last: taken, spare: count - 1 }
}

/** The tally of this minute as far as it is known here. */
export function currentTally({ seen, strip }: Caller, now: number): Tally {
  const mine = strip?.minute === seen?.minute ? strip : undefined
  const unusedHere = mine ? mine.last - mine.next + 1 : 0
  const unusedElsewhere = (seen?.spare ?? 0) - (mine?.spare ?? 0)
  return tallyIn(minuteOf(now), seen, unusedHere + unusedElsewhere)
}

/**
 * The next strip: one number for the call at hand and some ahead, if they may lie unused beside those of other instances.
 * @param tally whose next number is open
 */
export function demandOf({ strip }: Caller, tally: Tally, now: number, limit: number): Demand {
  const { minute, before, taken, spare } = tally
  const mine = strip?.minute === minute ? strip.spare : 0
  const room = Math.max(0, spareOf(limit) - (spare - mine))
  const count = Math.min(1 + Math.min(AHEAD, room), limit - taken)
  return {
    minute,
    before,
    count,
    spare: count - 1 - mine,
    maximumTaken: Math.min(limit - count, openAt(tally, timeIn(tally, now), limit) - 1),
    maximumSpare: count > 1 ? spareOf(limit) - (count - 1) + mine : limit,
  }
}

function isUsable({ minute, next, last }: Strip, now: number): boolean {
  return next <= last && minute >= minuteOf(now)
}

function until(opening: number, tally: Pick<Tally, 'minute'>, now: number): number {
  return Math.max(0, opening - timeIn(tally, now))
}
