import { unavailable } from '../errors.ts'
import type { Clock } from '../runtime/time.ts'
import { storeOf } from '../users/account-id.ts'
import { highestRole, type Role } from '../users/role.ts'
import type { LoginEnds } from '../users/user.ts'
import { type AccountStates, later } from './account-states.ts'
import type { LoggedInAccount } from './accounts.ts'
import type { Tokens } from './token.ts'

/** A user that a token can be issued to. */
export interface TokenHolder extends Pick<LoggedInAccount, 'username' | 'uid' | 'since' | 'validAfter'> {
  readonly role: Role
}

/**
 * A token carries the highest role that is held; undefined for an account without any, for which no token can be made.
 */
export function tokenHolder({ roles, ...account }: LoggedInAccount): TokenHolder | undefined {
  const role = highestRole(roles)
  return role && { ...account, role }
}

export interface TokenLoginParts {
  readonly tokens: Pick<Tokens, 'issue'>
  readonly accounts: Pick<AccountStates, 'find'>
  readonly ends: Pick<LoginEnds, 'find'>
  readonly clock: Clock
  readonly wait: (milliseconds: number) => Promise<unknown>
}

/** In milliseconds. */
const LONGEST_WAIT = 2000

/**
 * The token of a login, issued when the login began: what has ended all logins since then has ended this one, too. A
 * login in the second in which they ended waits until that second is over, because a token of it is refused (auth-41).
 * @throws ServiceError `UNAVAILABLE`, also if they ended again meanwhile or end more than two seconds from now
 */
export async function issueToken(parts: TokenLoginParts, holder: TokenHolder): Promise<string> {
  const { tokens, accounts, ends, clock, wait } = parts
  const { username, role, uid, since } = holder
  const end = storeOf(uid) === 'database' ? holder.validAfter : later(holder.validAfter, await ends.find(uid))
  const first = firstSecondAfter(end)
  if (since.getTime() >= first) return tokens.issue(username, role, uid, since)
  const left = () => first - clock.now().getTime()
  if (left() > LONGEST_WAIT) throw unavailable(new Error('the logins of an account end in the future'))
  while (left() > 0) await wait(left())
  const account = await accounts.find(uid)
  if (account?.validAfter?.getTime() !== end?.getTime()) throw unavailable(new Error('the logins ended once more'))
  return tokens.issue(username, role, uid, new Date(first))
}

/** The first whole second behind a time, in milliseconds; of no time, the beginning of all. */
export function firstSecondAfter(time: Date | undefined): number {
  return time === undefined ? Number.NEGATIVE_INFINITY : Math.floor(time.getTime() / 1000) * 1000 + 1000
}
