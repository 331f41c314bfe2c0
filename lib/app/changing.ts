import { confirming, createAccountGate } from '../auth/account-gate.ts'
import type { Checks } from '../http/middleware/authenticate.ts'
import { apiOf } from './checks.ts'
import { clock } from './edge.ts'
import { tokenKeys } from './secrets.ts'
import { makeAccountStates, openSessions } from './sessions.ts'
import { trailOf } from './stores.ts'

/**
 * For endpoints that change something. They load the sessions at the start, to check the CSRF tokens of their pages.
 * They also look up the account of a bearer token, because the token alone would be good until it ends.
 * @param freshMs as in {@link confirmed}
 */
export async function makeChanging(freshMs?: number) {
  const { sessions, check } = openSessions()
  const { checks, ...app } = apiOf(await tokenKeys(), check)
  return {
    ...app,
    checks: { ...checks, bearer: confirmed(checks.bearer, freshMs) },
    sessions,
    findSession: sessions.use,
    trail: trailOf(),
  }
}

/** Looks up the account of each token. @param freshMs how old a look may be; 0 for what makes or ends credentials */
export function confirmed(bearer: Checks['bearer'], freshMs?: number): Checks['bearer'] {
  return bearer && confirming(bearer, createAccountGate(makeAccountStates(), clock, freshMs))
}
