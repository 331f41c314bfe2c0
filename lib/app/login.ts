import { PROFILES } from '../auth/profile.ts'
import { createSignIn } from '../auth/sign-in.ts'
import { createTokens } from '../auth/token.ts'
import { tokenTexts } from '../contract/token-usage.ts'
import { type Environment, loadConfig } from '../runtime/config.ts'
import { edgeDeployed, edgeSettings } from '../runtime/settings/edge.ts'
import { tokenSettings } from '../runtime/settings/token.ts'
import { bearerOf } from './api.ts'
import { confirmed } from './changing.ts'
import { clock, contextOf } from './edge.ts'
import { passwordsOf } from './passwords.ts'
import { tokenKeys } from './secrets.ts'
import { makeSessions, sessionGuardOf } from './sessions.ts'
import { loginTrailOf } from './trail.ts'

/** For endpoints that check a password and start a session or issue a token. */
export async function makeLogin(environment?: Environment) {
  const settings = { ...edgeSettings, JWT_LIFETIME_SECONDS: tokenSettings.JWT_LIFETIME_SECONDS }
  const config = loadConfig(settings, edgeDeployed, environment)
  const keys = await tokenKeys(environment)
  const opened = makeSessions(keys, environment)
  return {
    ...contextOf(config),
    signIn: createSignIn(passwordsOf(environment)),
    tokens: createTokens({ keys, lifetimeSeconds: config.JWT_LIFETIME_SECONDS, clock }),
    texts: tokenTexts(PROFILES[config.PROFILE].bearer),
    sessions: opened.sessions,
    sessionGuard: sessionGuardOf(opened),
    startedCookies: opened.startedCookies,
  }
}

/** For the end of a session, and of all sessions and tokens. */
export async function makeLogout(environment?: Environment) {
  const keys = await tokenKeys(environment)
  const opened = makeSessions(keys, environment)
  const { bearer, ...context } = bearerOf(keys, environment)
  return {
    ...context,
    checks: { bearer: confirmed(bearer, environment) },
    sessions: opened.sessions,
    logins: loginTrailOf(environment),
    sessionGuard: sessionGuardOf(opened),
    endedCookies: opened.endedCookies,
  }
}
