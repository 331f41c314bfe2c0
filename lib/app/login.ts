import { PROFILES } from '../auth/profile.ts'
import { createSignIn } from '../auth/sign-in.ts'
import { createTokens } from '../auth/token.ts'
import { tokenTexts } from '../contract/token-usage.ts'
import { type Environment, loadConfig } from '../runtime/config.ts'
import { edgeDeployed, edgeSettings } from '../runtime/settings/edge.ts'
import { tokenSettings } from '../runtime/settings/token.ts'
import { bearerOf } from './api.ts'
import { confirmed } from './changing.ts'
import { clock, contextOf, makePublic } from './edge.ts'
import { passwordsOf } from './passwords.ts'
import { tokenKeys } from './secrets.ts'
import { openSessions, sessionCookies } from './sessions.ts'
import { loginTrailOf } from './trail.ts'

/** For the login that issues a token. */
export async function makeTokenLogin(environment?: Environment) {
  const settings = { ...edgeSettings, JWT_LIFETIME_SECONDS: tokenSettings.JWT_LIFETIME_SECONDS }
  const config = loadConfig(settings, edgeDeployed, environment)
  return {
    ...contextOf(config),
    signIn: createSignIn(passwordsOf(environment)),
    tokens: createTokens({
      keys: await tokenKeys(environment),
      lifetimeSeconds: config.JWT_LIFETIME_SECONDS,
      clock,
    }),
    texts: tokenTexts(PROFILES[config.PROFILE].bearer),
    findSession: openSessions(environment).sessions.use,
  }
}

/** For the login that starts a session. */
export function makeFormLogin(environment?: Environment) {
  const { sessions } = openSessions(environment)
  return {
    ...makePublic(environment),
    signIn: createSignIn(passwordsOf(environment)),
    sessions,
    findSession: sessions.use,
    startedCookies: sessionCookies(environment).started,
  }
}

/** For the end of a session, and of all sessions and tokens. */
export async function makeLogout(environment?: Environment) {
  const { sessions } = openSessions(environment)
  const { bearer, ...context } = bearerOf(await tokenKeys(environment), environment)
  return {
    ...context,
    checks: { bearer: confirmed(bearer, environment) },
    sessions,
    findSession: sessions.use,
    logins: loginTrailOf(environment),
    endedCookies: sessionCookies(environment).ended,
  }
}
