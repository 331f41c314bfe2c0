import type { Environment } from '../runtime/config.ts'
import { apiOf } from './api.ts'
import { tokenKeys } from './secrets.ts'
import { makeSessions, sessionGuardOf } from './sessions.ts'

/** For endpoints that change something: sessions are loaded from the start, to check the CSRF tokens of their pages. */
export async function makeChanging(environment?: Environment) {
  const keys = await tokenKeys(environment)
  const sessions = makeSessions(keys, environment)
  return { ...apiOf(keys, sessions.check, environment), sessionGuard: sessionGuardOf(sessions) }
}
