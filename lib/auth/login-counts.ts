import { createHash } from 'node:crypto'
import { networkOf } from '../runtime/address.ts'
import { nextOpensAt, type Window } from '../runtime/sliding-window.ts'
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

/** A limited count, in two counters: of this window and of the one before. */
export interface LimitedCount {
  readonly kind: 'user' | 'address' | 'name'
  readonly counter: string
  readonly counterBefore: string
  /** At least 1. */
  readonly limit: number
}

/** The counters of one caller with one name in one window. */
export interface LoginCounts {
  readonly window: Omit<Window, 'before'>
  readonly limited: readonly LimitedCount[]
  /**
   * The counter that holds the time of the caller's last success with the name; undefined where no limit depends on it.
   */
  readonly memory: string | undefined
}

/** Counters contain user names as hashes, and so does an address that is stored for longer than two windows. */
export function loginCounts(username: string, address: string, limits: FailureLimits, now: Date): LoginCounts {
  const length = limits.windowSeconds * 1000
  const index = Math.floor(now.getTime() / length)
  const user = digest(userKey(username) ?? '')
  const caller = networkOf(address)
  const count = (kind: LimitedCount['kind'], limit: number, subject: string): LimitedCount => ({
    kind,
    counter: `login#${index}#${subject}`,
    counterBefore: `login#${index - 1}#${subject}`,
    limit,
  })
  const all = [
    count('user', limits.perUser, `${caller}#${user}`),
    count('address', limits.perAddress, caller),
    count('name', limits.perName, `*#${user}`),
  ]
  return {
    window: { start: index * length, length },
    limited: all.filter(({ limit }) => limit > 0),
    memory: limits.perName > 0 ? `login#known#${digest(`${caller}#${user}`)}` : undefined,
  }
}

/** Whole seconds until every count may grow; undefined if each may now. */
export function secondsUntilOpen(
  counts: readonly { readonly window: Window; readonly count: number; readonly limit: number }[],
  now: Date,
): number | undefined {
  const openings = counts.map(({ window, count, limit }) => nextOpensAt(window, count, limit))
  const wait = Math.max(...openings, now.getTime()) - now.getTime()
  return wait === 0 ? undefined : Math.ceil(wait / 1000)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
