import { createHash } from 'node:crypto'
import { unavailable } from '../errors.ts'
import { networkOf } from '../runtime/address.ts'
import {
  type Counter,
  demandOf,
  type Limit,
  nextOpensAt,
  type Tally,
  takeOnce,
  tallyIn,
  timeIn,
  windowAt,
} from '../runtime/tally.ts'
import type { Clock } from '../runtime/time.ts'
import { userKey } from '../users/user.ts'

/** How many failures are allowed in a window; 0 allows all of them. */
export interface FailureLimits {
  /** For a user name from one address. */
  readonly perUser: number
  readonly perAddress: number
  /** For a user name, from all addresses together that are not known for it. */
  readonly perName: number
  readonly windowSeconds: number
}

/** A limited count. */
export interface LimitedCount {
  readonly kind: 'user' | 'address' | 'name'
  /** The name of its tally. */
  readonly counter: string
  readonly limit: Limit
}

/** The counts of one caller with one name. */
export interface LoginCounts {
  readonly limited: readonly LimitedCount[]
  /** The tally that holds the time of the caller's last success with the name; undefined where no limit depends on it. */
  readonly memory: string | undefined
}

/** Counters contain user names as hashes, and so does an address that is stored for longer than two windows. */
function loginCounts(username: string, address: string, limits: FailureLimits): LoginCounts {
  const length = limits.windowSeconds * 1000
  const user = digest(userKey(username) ?? '')
  const caller = networkOf(address)
  const count = (kind: LimitedCount['kind'], most: number, subject: string): LimitedCount => ({
    kind,
    counter: `login#${subject}`,
    limit: { most, length },
  })
  const all = [
    count('user', limits.perUser, `${caller}#${user}`),
    count('address', limits.perAddress, caller),
    count('name', limits.perName, `*#${user}`),
  ]
  return {
    limited: all.filter(({ limit }) => limit.most > 0),
    memory: limits.perName > 0 ? `login#known#${digest(`${caller}#${user}`)}` : undefined,
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
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
  /** The tally that a success must set; undefined if it was set less than a day ago, or there is none. */
  readonly memory: string | undefined
}

interface CountSeen extends LimitedCount {
  /** As it is stored. */
  readonly seen: Tally | undefined
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

/** How often a tally may change between read and write. */
const ROUNDS = 8

/**
 * Failed passwords in sliding windows: of a user name from an address, of an address, and of a user name from all
 * addresses that are not known for it (decision 19).
 */
export function createLoginFailures(counter: Counter, limits: FailureLimits, clock: Clock): LoginFailures {
  async function standingOf(username: string, address: string): Promise<Standing> {
    const at = clock.now()
    const { limited, memory } = loginCounts(username, address, limits)
    const names = [...limited.map((one) => one.counter), ...(memory === undefined ? [] : [memory])]
    const read = names.length > 0 ? await counter.read(names) : []
    const known = read[limited.length]?.taken ?? 0
    const age = Math.abs(at.getTime() - known)
    const counts = limited
      .map((one, index): CountSeen => ({ ...one, seen: read[index] }))
      .filter(({ kind }) => kind !== 'name' || age >= KNOWN_FOR)
    const wait = Math.max(0, ...counts.map((one) => waitFor(one, at)))
    const retryAfterSeconds = wait > 0 ? Math.ceil(wait / 1000) : undefined
    return { at, retryAfterSeconds, username, address, counts, memory: age >= DAY ? memory : undefined }
  }

  async function begin(standing: Standing): Promise<Begun> {
    const { retryAfterSeconds } = standing
    if (retryAfterSeconds !== undefined) return { kind: 'refused', retryAfterSeconds }
    const counts: CountSeen[] = []
    // One after the other, so that an attempt refused by one limit does not count for the next.
    for (const one of standing.counts) {
      const { wait, seen } = await takeOne(one)
      if (wait > 0) {
        await giveBackAll(counts)
        return { kind: 'refused', retryAfterSeconds: Math.ceil(wait / 1000) }
      }
      counts.push({ ...one, seen })
    }
    return { kind: 'counted', standing: { ...standing, counts } }
  }

  /** Counts an attempt in the present window, or says how long it has to wait. */
  async function takeOne({
    seen,
    ...one
  }: CountSeen): Promise<{ readonly wait: number; readonly seen?: Tally | undefined }> {
    let stored = seen
    for (let round = 0; round < ROUNDS; round++) {
      const now = clock.now()
      const wait = waitFor({ ...one, seen: stored }, now)
      if (wait > 0) return { wait }
      const demand = demandOf(currentTally({ ...one, seen: stored }, now), now.getTime(), one.limit)
      const counted = await takeOnce(counter, one.counter, stored, demand, one.limit)
      if (counted.kind === 'written') return { wait: 0, seen: counted.tally }
      stored = counted.tally
    }
    throw unavailable(new Error('the tally of logins kept changing'))
  }

  async function giveBackAll(counts: readonly CountSeen[]): Promise<void> {
    await Promise.all(counts.map(({ counter: name, seen }) => seen && counter.giveBack(name, seen.window)))
  }

  async function remember({ memory }: Standing): Promise<void> {
    if (memory === undefined) return
    const now = clock.now().getTime()
    await counter.set(memory, { window: 0, before: 0, taken: now, spare: 0 }, new Date(now + KNOWN_FOR))
  }

  return {
    standingOf,
    begin,
    giveBack: ({ standing }) => giveBackAll(standing.counts),
    async forgive({ standing }) {
      const { counts } = standing
      // If later attempts have raised the count, it stays: a right password among many guesses makes no room for more.
      const ofUser = counts.flatMap(({ kind, counter: name, seen }) =>
        kind === 'user' && seen ? [{ name, seen }] : [],
      )
      await Promise.all([
        remember(standing),
        giveBackAll(counts.filter(({ kind }) => kind !== 'user')),
        ...ofUser.map(({ name, seen }) => counter.remove(name, seen)),
      ])
    },
    remember,
  }
}

function currentTally({ seen, limit }: CountSeen, now: Date): Tally {
  return tallyIn(windowAt(now.getTime(), limit), seen)
}

/** Milliseconds until the count may grow by one. */
function waitFor(one: CountSeen, now: Date): number {
  const tally = currentTally(one, now)
  return Math.max(0, nextOpensAt(tally, one.limit) - timeIn(tally, now.getTime(), one.limit))
}
