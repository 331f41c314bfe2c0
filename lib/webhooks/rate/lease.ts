import {
  type Demand,
  demandOf,
  type Limit,
  nextOpensAt,
  opensAt,
  type Tally,
  tallyIn,
  timeIn,
  windowAt,
} from '../../runtime/tally.ts'

/** How many further permits a lease takes ahead: at most one counter request per eleven calls. */
const AHEAD = 10

/** Permits that this instance has taken. It uses them in ascending order. */
interface PermitLease extends Pick<Tally, 'window' | 'before'> {
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

export function newCallerState(name: string): CallerState {
  return { name, seen: undefined, lease: undefined, asking: undefined }
}

/** Milliseconds until a call is allowed, 0 for now; undefined if only the counter can decide. */
export function waitOf(caller: CallerState, now: number, limit: Limit): number | undefined {
  const { lease, seen } = caller
  const until = (opening: number, of: Pick<Tally, 'window'>) => Math.max(0, opening - timeIn(of, now, limit))
  if (lease && lease.next <= lease.last && lease.window >= windowAt(now, limit)) {
    return until(opensAt(lease, lease.next, limit), lease)
  }
  if (!seen) return undefined
  const tally = currentTally(caller, now, limit)
  return until(nextOpensAt(tally, limit), tally) || undefined
}

/** Uses the permit of an allowed call; call it after {@link waitOf} returned 0. */
export function usePermit(caller: CallerState): void {
  if (caller.lease) caller.lease = { ...caller.lease, next: caller.lease.next + 1 }
}

export function keepLease(caller: CallerState, { window, before, taken }: Tally, count: number): void {
  caller.lease = { window, before, next: taken - count + 1, last: taken, spare: count - 1 }
}

/** The demand for the next lease: of a tally whose next permit is free. */
export function leaseDemand(caller: CallerState, now: number, limit: Limit): Demand {
  const tally = currentTally(caller, now, limit)
  const mine = caller.lease?.window === tally.window ? caller.lease.spare : 0
  return demandOf(tally, now, limit, AHEAD, mine)
}

/** The tally of this window, as far as this instance knows it. */
function currentTally({ seen, lease }: CallerState, now: number, limit: Limit): Tally {
  const mine = lease?.window === seen?.window ? lease : undefined
  const unusedHere = mine ? mine.last - mine.next + 1 : 0
  const unusedElsewhere = (seen?.spare ?? 0) - (mine?.spare ?? 0)
  return tallyIn(windowAt(now, limit), seen, unusedHere + unusedElsewhere)
}
