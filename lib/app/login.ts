import { createTokens } from '../auth/token.ts'
import { type Environment, loadConfig } from '../platform/config.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { tokenSettings } from '../platform/settings/token.ts'
import { clock, edgeOf } from './edge.ts'
import { passwordsOf } from './passwords.ts'
import { tokenKeys } from './secrets.ts'
import { makeSessions, sessionGuardOf } from './sessions.ts'

/** For everything that begins or ends with a login. */
export async function makeLogin(environment?: Environment) {
  const settings = { ...edgeSettings, JWT_LIFETIME_SECONDS: tokenSettings.JWT_LIFETIME_SECONDS }
  const config = loadConfig(settings, [], environment)
  const keys = await tokenKeys(environment)
  const opened = makeSessions(keys, environment)
  return {
    ...edgeOf(config),
    ...passwordsOf(environment),
    tokens: createTokens({ keys, lifetimeSeconds: config.JWT_LIFETIME_SECONDS, clock }),
    sessions: opened.sessions,
    sessionGuard: sessionGuardOf(opened),
    startedCookies: opened.startedCookies,
    endedCookies: opened.endedCookies,
  }
}
