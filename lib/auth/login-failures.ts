import type { Clock } from '../runtime/clock.ts'
import { openAt, type Window } from '../runtime/sliding-window.ts'
import { type FailureLimits, type LimitedCount, loginCounts, secondsUntilOpen } from './login-counts.ts'

/** A count after one was added to it, or the unchanged count if it is at the maximum. */
export interface Taken {
  readonly kind: 'added' | 'full'
  readonly count: number
}

/** Counters that many instances share. All methods throw ServiceError `UNAVAILABLE`. */
export interface CounterStore {
  /** The counts in the order of the names; 0 for one that does not exist. */
  read(names: readonly string[]): Promise<readonly number[]>
  /**
   * Adds one to a count that is below the maximum.
   * @param maximum at least 1
   */
  take(name: string, maximum: number, expiresAt: Date): Promise<Taken>
  /** Takes one from a count that is above 0. */
  giveBack(name: string): Promise<void>
  set(name: string, count: number, expiresAt: Date): Promise<void>
  /** Removes a counter that still has this count, and returns whether it did. */
  remove(name: string, count: number): Promise<boolean>
}

/** The limits of a caller before an attempt. */
export interface Standing {
  /** When it was read. */
  readonly at: Date
  /** Whole seconds until the caller may try; undefined when they may now. */
  readonly retryAfterSeconds: number | undefined
  readonly username: string
  readonly address: string
  readonly counts: readonly CountSeen[]
  /** The counter that a success must set; undefined if it was set less than a day ago, or there is none. */
  readonly memory: string | undefined
}

interface CountSeen extends LimitedCount {
  readonly window: Window
  readonly count: number
  /** Its maximum. */
  readonly maximum: number
}

/** A counted attempt; the counts of its standing include it. */
export interface LoginAttempt {
  readonly kind: 'counted'
  readonly standing: Standing
}

export type Begun = LoginAttempt | { readonly kind: 'refused'; readonly retryAfterSeconds: number }

/** All methods throw ServiceError `UNAVAILABLE`. */
export interface LoginFailures {
  standingOf(username: string, address: string): Promise<Standing>
  /** Counts an attempt before its password is checked; of many at once, no more than the limits allow are counted. */
  begin(standing: Standing): Promise<Begun>
  /** Gives back an attempt that ended without a verdict. */
  giveBack(attempt: LoginAttempt): Promise<void>
  /** For a right password: gives the attempt back, and removes the failures of the name from that address. */
  forgive(attempt: LoginAttempt): Promise<void>
  /** For a right password that was not counted as an attempt. */
  remember(standing: Standing): Promise<void>
}

const DAY = 86_400_000

/** How long an address counts as known for a name after a success. */
const KNOWN_FOR = 30 * DAY

/**
 * Failed passwords in sliding windows: of a user name from an address, of an address, and of a user name from all
 * addresses that are not known for it. `docs/decisions/0019-login-attempts.md` says why.
 */
export function createLoginFailures(counters: CounterStore, limits: FailureLimits, clock: Clock): LoginFailures {
  async function standingOf(username: string, address: string): Promise<Standing> {
    const now = clock.now()
    const { window, limited, memory } = loginCounts(username, address, limits, now)
    const ofWindows = limited.flatMap(({ counter, counterBefore }) => [counter, counterBefore])
    const names = memory === undefined ? ofWindows : [memory, ...ofWindows]
    const read = names.length > 0 ? await counters.read(names) : []
    const countOf = (counter: string | undefined) => read[names.indexOf(counter ?? '')] ?? 0
    const age = Math.abs(now.getTime() - countOf(memory))
    const counts = limited
      .filter(({ kind }) => kind !== 'name' || age >= KNOWN_FOR)
      .map((one) => seen(one, countOf(one.counter), { ...window, before: countOf(one.counterBefore) }, now))
    return {
      at: now,
      retryAfterSeconds: secondsUntilOpen(counts, now),
      username,
      address,
      counts,
      memory: age >= DAY ? memory : undefined,
    }
  }

  async function begin(standing: Standing): Promise<Begun> {
    if (standing.retryAfterSeconds !== undefined) {
      return { kind: 'refused', retryAfterSeconds: standing.retryAfterSeconds }
    }
    const { taken, full } = await takeAll(standing.counts)
    const now = clock.now()
    const isOver = taken.some(({ window }) => now.getTime() >= endOf(window))
    if (full === undefined && !isOver) return { kind: 'counted', standing: { ...standing, counts: taken } }
    await giveBackAll(taken)
    if (full) return { kind: 'refused', retryAfterSeconds: secondsUntilOpen([full], now) ?? 1 }
    // The window has ended meanwhile, and others may have read its count without this attempt: it counts in the next.
    return begin(await standingOf(standing.username, standing.address))
  }

  /** One after the other, so that an attempt refused by one limit does not count for the next. */
  async function takeAll(counts: readonly CountSeen[]) {
    const taken: CountSeen[] = []
    for (const seen of counts) {
      const { counter, maximum, window } = seen
      const { kind, count } = await counters.take(counter, maximum, new Date(endOf(window) + window.length))
      if (kind === 'full') return { taken, full: { ...seen, count } }
      taken.push({ ...seen, count })
    }
    return { taken, full: undefined }
  }

  async function giveBackAll(counts: readonly CountSeen[]): Promise<void> {
    await Promise.all(counts.map(({ counter }) => counters.giveBack(counter)))
  }

  async function remember({ memory }: Standing): Promise<void> {
    if (memory === undefined) return
    const now = clock.now().getTime()
    await counters.set(memory, now, new Date(now + KNOWN_FOR))
  }

  /** If later attempts have raised the count, it stays: a right password among many guesses makes no room for more. */
  async function clear({ counter, counterBefore, window, count }: CountSeen): Promise<void> {
    const isLast = await counters.remove(counter, count)
    if (isLast && window.before > 0) await counters.remove(counterBefore, window.before)
  }

  return {
    standingOf,
    begin,
    giveBack: ({ standing }) => giveBackAll(standing.counts),
    async forgive({ standing }) {
      await Promise.all([
        remember(standing),
        ...standing.counts.map((count) => (count.kind === 'user' ? clear(count) : counters.giveBack(count.counter))),
      ])
    },
    remember,
  }
}

function seen(limited: LimitedCount, count: number, window: Window, now: Date): CountSeen {
  return { ...limited, count, window, maximum: openAt(window, now.getTime(), limited.limit) }
}

function endOf({ start, length }: Window): number {
  return start + length
}
