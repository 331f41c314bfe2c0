import { setTimeout } from 'node:timers/promises'
import { dynamoLoginEnds } from '../adapters/dynamodb/users.ts'
import { PROFILES } from '../auth/profile.ts'
import { createSignIn } from '../auth/sign-in.ts'
import { createTokens } from '../auth/token.ts'
import { tokenTexts } from '../contract/tokens.ts'
import { loadConfig } from '../runtime/config.ts'
import { edgeDeployed, edgeSettings } from '../runtime/settings/edge.ts'
import { usersStoreSettings } from '../runtime/settings/stores.ts'
import { tokenSettings } from '../runtime/settings/token.ts'
import { confirmed } from './changing.ts'
import { bearerOf } from './checks.ts'
import { clock, contextOf, makePublic } from './edge.ts'
import { passwordsOf } from './passwords.ts'
import { tokenKeys } from './secrets.ts'
import { makeAccountStates, openSessions, sessionCookies } from './sessions.ts'
import { documents, loginTrailOf } from './stores.ts'

/** For the login that issues a token. */
export async function makeTokenLogin() {
  const settings = {
    ...edgeSettings,
    ...usersStoreSettings,
    JWT_LIFETIME_SECONDS: tokenSettings.JWT_LIFETIME_SECONDS,
  }
  const config = loadConfig(settings, edgeDeployed)
  return {
    ...contextOf(config),
    signIn: createSignIn(passwordsOf(true)),
    tokens: createTokens({
      keys: await tokenKeys(),
      lifetimeSeconds: config.JWT_LIFETIME_SECONDS,
      clock,
    }),
    accounts: makeAccountStates(),
    ends: dynamoLoginEnds(documents(), config.USERS_TABLE),
    wait: setTimeout,
    logins: loginTrailOf(),
    texts: tokenTexts(PROFILES[config.PROFILE].bearer),
    findSession: openSessions().sessions.use,
  }
}

/** For the login that starts a session. */
export function makeFormLogin() {
  const { sessions } = openSessions()
  return {
    ...makePublic(),
    signIn: createSignIn(passwordsOf(true)),
    logins: loginTrailOf(),
    sessions,
    findSession: sessions.use,
    startedCookies: sessionCookies().started,
  }
}

/** For the end of a session, and of all sessions and tokens. */
export async function makeLogout() {
  const { sessions } = openSessions()
  const { bearer, ...context } = bearerOf(await tokenKeys())
  return {
    ...context,
    checks: { bearer: confirmed(bearer, 0) },
    sessions,
    findSession: sessions.use,
    logins: loginTrailOf(),
    endedCookies: sessionCookies().ended,
  }
}
