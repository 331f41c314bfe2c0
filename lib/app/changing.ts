import { type AccountGate, createAccountGate } from '../auth/account-gate.ts'
import type { Checks } from '../http/authenticate.ts'
import type { Environment } from '../runtime/config.ts'
import { makeAccountStates } from './account-states.ts'
import { apiOf } from './api.ts'
import { clock } from './edge.ts'
import { tokenKeys } from './secrets.ts'
import { makeSessions, sessionGuardOf } from './sessions.ts'

/**
 * For endpoints that change something: sessions are loaded from the start, to check the CSRF tokens of their pages, and
 * whoever comes with a token is looked at, as the token alone would be good until it ends.
 */
export async function makeChanging(environment?: Environment) {
  const keys = await tokenKeys(environment)
  const sessions = makeSessions(keys, environment)
  const { checks, ...app } = apiOf(keys, sessions.check, environment)
  const gate = createAccountGate(makeAccountStates(environment), clock)
  return {
    ...app,
    checks: { ...checks, bearer: confirmed(checks.bearer, gate) },
    sessionGuard: sessionGuardOf(sessions),
  }
}

function confirmed(bearer: Checks['bearer'], gate: AccountGate): Checks['bearer'] {
  return bearer && (async (token) => gate.confirm(await bearer(token)))
}
