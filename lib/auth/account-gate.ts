import { createRecent } from '../runtime/cache.ts'
import type { Clock } from '../runtime/time.ts'
import { satisfies } from '../users/role.ts'
import type { AccountState, AccountStates } from './account-states.ts'
import type { Principal } from './principal.ts'
import { firstSecondAfter } from './token-holder.ts'
import { refusal } from './token-refusal.ts'

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

interface Look {
  readonly at: number
  readonly state: Promise<AccountState | undefined>
}

export function createAccountGate(states: AccountStates, clock: Clock): AccountGate {
  const looks = createRecent<Look>(MAXIMUM_REMEMBERED)

  /** What was read before the second of the token was over knows nothing of what ended later in it. */
  function find({ uid, username, tokenIssuedAt }: Principal): Promise<AccountState | undefined> {
    const key = uid === undefined ? `name ${username}` : `uid ${uid}`
    const at = clock.now().getTime()
    const known = looks.get(key)
    const age = known && at - known.at
    const isFresh = age !== undefined && age >= 0 && age < FRESH_MS
    if (known && isFresh && known.at >= firstSecondAfter(tokenIssuedAt)) return known.state
    const look = { at, state: uid === undefined ? states.findByName(username) : states.find(uid) }
    look.state.catch(() => looks.get(key) === look && looks.delete(key))
    looks.set(key, look)
    return look.state
  }

  return {
    async confirm(principal) {
      const state = await find(principal)
      if (!state || !isStillGood(principal, state)) throw refusal('REVOKED')
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

/** `iat` has whole seconds: a token of the second in which logins ended may be older than that (auth-41). */
function isStillGood({ roles, tokenIssuedAt, uid }: Principal, state: AccountState): boolean {
  const issued = tokenIssuedAt?.getTime() ?? Number.NEGATIVE_INFINITY
  const begin = uid === undefined && state.createdAt ? firstSecondAfter(state.createdAt) - 1000 : undefined
  return (
    roles.every((role) => satisfies(state.roles, role)) &&
    (state.validAfter === undefined || issued >= firstSecondAfter(state.validAfter)) &&
    (begin === undefined || issued >= begin)
  )
}
