/**
 * The count under one name, in a row that all instances share: calls of an address at an endpoint, or failed logins. Time
 * is divided into windows. A window has the permits 1 to the limit, and each call uses one. The count slides: the window
 * before weighs as much as the part of it that is less than one length ago. `docs/decisions/0006-rate-limit.md` says why.
 */
export interface Tally {
  /** Windows since the epoch. */
  readonly window: number
  /** The number of calls in the window before. */
  readonly before: number
  /** The highest permit that an instance has taken. */
  readonly taken: number
  /** Maximum number of taken permits that may still be unused. */
  readonly spare: number
}

/** How many calls a window allows, at least 1, and its length in milliseconds. */
export interface Limit {
  readonly most: number
  readonly length: number
}

/** The permits requested for a window, and the bounds on its tally within which the counter grants them. */
export interface Demand extends Pick<Tally, 'window' | 'before'> {
  readonly count: number
  /** The change of the tally's `spare`. */
  readonly spare: number
  readonly maximumTaken: number
  readonly maximumSpare: number
}

/** The tally after the request; undefined if there is none. */
export type Counted =
  | { readonly kind: 'written'; readonly tally: Tally }
  | { readonly kind: 'refused'; readonly tally: Tally | undefined }

/** Tallies that many instances share. All methods throw ServiceError `UNAVAILABLE`. */
export interface Counter {
  /** The tallies in the order of the names; undefined for one that does not exist. */
  read(names: readonly string[]): Promise<readonly (Tally | undefined)[]>
  /** Takes permits if there is no tally of that name, or if the tally is of that window and within the bounds. */
  take(name: string, demand: Demand, expiresAt: Date): Promise<Counted>
  /** Replaces the tally by that of another window, if the stored tally is still the one that was seen. */
  rollOver(name: string, seen: Tally, next: Tally, expiresAt: Date): Promise<Counted>
  /** Gives back a permit of that window, also once the next one has begun. */
  giveBack(name: string, window: number): Promise<void>
  set(name: string, tally: Tally, expiresAt: Date): Promise<void>
  /** Removes a tally that is still the one that was seen. */
  remove(name: string, seen: Tally): Promise<void>
}

export function windowAt(now: number, { length }: Limit): number {
  return Math.floor(now / length)
}

/** The time within a window: a clock that lags behind other instances counts as the beginning of their window. */
export function timeIn({ window }: Pick<Tally, 'window'>, now: number, { length }: Limit): number {
  return Math.max(now, window * length)
}

/**
 * When a permit may be used, in milliseconds since the epoch; beyond the end of the window for one above the limit.
 */
export function opensAt({ window, before }: Pick<Tally, 'window' | 'before'>, permit: number, limit: Limit): number {
  const { most, length } = limit
  const excess = before + permit - most
  return window * length + (excess > 0 ? Math.ceil((length * excess) / before) : 0)
}

/** When the next permit that no instance has taken may be used; if all are taken, in the next window. */
export function nextOpensAt({ window, before, taken }: Tally, limit: Limit): number {
  return taken < limit.most
    ? opensAt({ window, before }, taken + 1, limit)
    : opensAt({ window: window + 1, before: taken }, 1, limit)
}

/**
 * The tally of this window, derived from the last one seen.
 * @param unused how many of the taken permits may be unused; they never count as calls
 */
export function tallyIn(window: number, seen: Tally | undefined, unused = 0): Tally {
  if (seen?.window === window || seen?.window === window + 1) return seen
  const before = seen?.window === window - 1 ? seen.taken - unused : 0
  return { window, before, taken: 0, spare: 0 }
}

/** Maximum number of unused permits in all instances together: a tenth of the limit. */
export function spareOf({ most }: Limit): number {
  return Math.floor(most / 10)
}

/**
 * One permit, and up to `ahead` further ones, within the limit on unused permits of all instances.
 * @param tally whose next permit is free
 * @param mine the caller's own share of its `spare`, whose permits are used
 */
export function demandOf(tally: Tally, now: number, limit: Limit, ahead = 0, mine = 0): Demand {
  const { window, before, taken, spare } = tally
  const { most, length } = limit
  const room = Math.max(0, spareOf(limit) - (spare - mine))
  const count = Math.min(1 + Math.min(ahead, room), most - taken)
  const open = most - Math.ceil((before * ((window + 1) * length - timeIn(tally, now, limit))) / length)
  return {
    window,
    before,
    count,
    spare: count - 1 - mine,
    maximumTaken: Math.min(most - count, open - 1),
    maximumSpare: count > 1 ? spareOf(limit) - (count - 1) + mine : most,
  }
}

/** Asks the counter once for what is demanded of a tally that was derived from the last one seen. */
export function takeOnce(
  counter: Pick<Counter, 'take' | 'rollOver'>,
  name: string,
  seen: Tally | undefined,
  { window, before, ...demand }: Demand,
  { length }: Limit,
): Promise<Counted> {
  const expiresAt = new Date((window + 2) * length)
  if (seen === undefined || seen.window === window) return counter.take(name, { window, before, ...demand }, expiresAt)
  return counter.rollOver(name, seen, { window, before, taken: demand.count, spare: demand.spare }, expiresAt)
}
