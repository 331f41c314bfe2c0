import { unavailable } from '../errors.ts'
import { createRecent } from '../runtime/cache.ts'
import type { Clock } from '../runtime/time.ts'
import { highestRole, type Role, satisfies } from '../users/role.ts'
import { type LoginEnds, storeOf } from '../users/user.ts'
import { type AccountState, type AccountStates, type Look, later } from './account-states.ts'
import type { LoggedInAccount } from './accounts.ts'
import { refusal } from './claims.ts'
import type { Principal } from './principal.ts'
import type { Tokens } from './token.ts'

/** Looks up the account of a token, because the token alone is good until it ends. */
export interface AccountGate {
  /**
   * The principal, with the id of the account if the token lacks it.
   * @throws ServiceError `TOKEN_INVALID` with REVOKED if the account is gone or disabled, has lost the role, or has
   * ended its logins since; `UNAVAILABLE`
   */
  confirm(principal: Principal): Promise<Principal>
}

/** How long an account that was read is cached, in milliseconds. */
const FRESH_MS = 5000

const MAXIMUM_REMEMBERED = 1000

interface Known {
  readonly at: number
  readonly state: Promise<Look>
}

/** @param freshMs how old a look may be; with 0 the account is asked each time */
export function createAccountGate(states: Pick<AccountStates, 'look'>, clock: Clock, freshMs = FRESH_MS): AccountGate {
  const looks = createRecent<Known>(MAXIMUM_REMEMBERED)

  /** What was read before the second of the token was over knows nothing of what ended later in it. */
  function find({ uid, username, tokenIssuedAt }: Principal): Promise<Look> {
    const key = uid === undefined ? `name ${username}` : `uid ${uid}`
    const at = clock.now().getTime()
    const known = looks.get(key)
    const age = known && at - known.at
    const isFresh = age !== undefined && age >= 0 && age < freshMs
    if (known && isFresh && known.at >= firstSecondAfter(tokenIssuedAt)) return known.state
    const look = { at, state: states.look({ uid, username }) }
    look.state.catch(() => looks.get(key) === look && looks.delete(key))
    looks.set(key, look)
    return look.state
  }

  return {
    async confirm(principal) {
      const state = await find(principal)
      demandGood(principal, state)
      return principal.uid === undefined ? { ...principal, uid: state.uid } : principal
    },
  }
}

/** A check of tokens that also looks up the account of each: for calls that do more than read. */
export function confirming(
  check: (token: string) => Principal | Promise<Principal>,
  gate: AccountGate,
): (token: string) => Promise<Principal> {
  return async (token) => gate.confirm(await check(token))
}

/**
 * `iat` has whole seconds: a token of the second in which logins ended may be older than that (auth-41). One without an
 * id that is older than the account is of another account.
 */
function demandGood({ roles, tokenIssuedAt, uid }: Principal, look: Look): asserts look is AccountState {
  if (typeof look === 'string') throw revoked(`The account of the token is ${look}`)
  const { roles: held, validAfter, createdAt } = look
  const issued = tokenIssuedAt?.getTime() ?? Number.NEGATIVE_INFINITY
  if (uid === undefined && issued < firstSecondAfter(createdAt) - 1000)
    throw revoked('The account of the token is gone')
  if (!roles.every((role) => satisfies(held, role))) throw revoked('The account of the token has another role now')
  if (issued < firstSecondAfter(validAfter)) throw revoked('The logins of the account ended after the token was issued')
}

const revoked = (cause: string) => refusal('REVOKED', cause)

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
function firstSecondAfter(time: Date | undefined): number {
  return time === undefined ? Number.NEGATIVE_INFINITY : Math.floor(time.getTime() / 1000) * 1000 + 1000
}
