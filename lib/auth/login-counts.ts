import { createHash } from 'node:crypto'
import { networkOf } from '../runtime/address.ts'
import type { Limit } from '../runtime/tally.ts'
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
export function loginCounts(username: string, address: string, limits: FailureLimits): LoginCounts {
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
