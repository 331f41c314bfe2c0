import { createHash } from 'node:crypto'
import { networkOf } from '../platform/address.ts'
import type { Clock } from '../platform/clock.ts'
import { userKey } from '../users/user.ts'

/** Counters that many instances share. All methods throw ServiceError `UNAVAILABLE`. */
export interface CounterStore {
  /** The counts in the order of the names; 0 for one that nobody made. */
  read(names: readonly string[]): Promise<readonly number[]>
  /** @returns the new count */
  add(name: string, expiresAt: Date): Promise<number>
  remove(name: string): Promise<void>
}

/** How many failures are let through in a window; 0 lets all of them through. */
export interface FailureLimits {
  readonly perUser: number
  readonly perAddress: number
  readonly windowSeconds: number
}

export interface Standing {
  /** Seconds until the caller may try again; undefined when they may now. */
  readonly retryAfterSeconds: number | undefined
  /** Whether there is anything to forgive. */
  readonly hasFailed: boolean
}

export interface LoginFailures {
  standingOf(username: string, address: string): Promise<Standing>
  /**
   * Counts a failure. Of many guesses at once each is counted before it is answered.
   * @returns seconds until the caller may try again when this one was beyond the limit
   */
  record(username: string, address: string): Promise<number | undefined>
  /** A success forgives the user's failures from that address, not the address's. */
  clear(username: string, address: string): Promise<void>
}

/** Failed passwords by user name and address, and by address, in windows of fixed length; an IPv6 network is one address. */
export function createLoginFailures(counters: CounterStore, limits: FailureLimits, clock: Clock): LoginFailures {
  const { perUser, perAddress, windowSeconds } = limits

  function windowOf(now: Date): { readonly index: number; readonly end: Date } {
    const index = Math.floor(now.getTime() / (windowSeconds * 1000))
    return { index, end: new Date((index + 1) * windowSeconds * 1000) }
  }

  function namesOf(username: string, address: string): readonly [user: string, address: string] {
    const { index } = windowOf(clock.now())
    const user = createHash('sha256')
      .update(userKey(username) ?? '')
      .digest('base64url')
    const caller = networkOf(address)
    return [`login#${index}#${caller}#${user}`, `login#${index}#${caller}`]
  }

  function remaining(): number {
    const now = clock.now()
    return Math.max(1, Math.ceil((windowOf(now).end.getTime() - now.getTime()) / 1000))
  }

  const exceeds = (limit: number, count: number) => limit > 0 && count > limit

  return {
    async standingOf(username, address) {
      const [ofUser = 0, ofAddress = 0] = await counters.read(namesOf(username, address))
      const isBlocked = exceeds(perUser, ofUser + 1) || exceeds(perAddress, ofAddress + 1)
      return { retryAfterSeconds: isBlocked ? remaining() : undefined, hasFailed: ofUser > 0 }
    },
    async record(username, address) {
      const { end } = windowOf(clock.now())
      const names = namesOf(username, address)
      const [ofUser = 0, ofAddress = 0] = await Promise.all(names.map((name) => counters.add(name, end)))
      return exceeds(perUser, ofUser) || exceeds(perAddress, ofAddress) ? remaining() : undefined
    },
    async clear(username, address) {
      const [ofUser] = namesOf(username, address)
      await counters.remove(ofUser)
    },
  }
}
