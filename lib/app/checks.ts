import type { KeyGate } from '../auth/keys/gate.ts'
import { PROFILES } from '../auth/profile.ts'
import { bearerCheck, createTokens } from '../auth/token.ts'
import type { Checks } from '../http/middleware/authenticate.ts'
import { memoizeAsync } from '../runtime/cache.ts'
import { loadConfig } from '../runtime/config.ts'
import { edgeDeployed, edgeSettings } from '../runtime/settings/edge.ts'
import { tokenSettings } from '../runtime/settings/token.ts'
import { clock, contextOf, makePublic } from './edge.ts'
import { type TokenKeys, tokenKeys } from './secrets.ts'

type CheckSession = NonNullable<Checks['session']>

/** For endpoints that only require credentials. It loads a store when the first credentials of that kind arrive. */
export async function makeApi() {
  const keys = await tokenKeys()
  return apiOf(keys, sessionCheck())
}

/** For endpoints that accept only a session. */
export function makeSessionOnly() {
  return { ...makePublic(), checks: { session: sessionCheck() } }
}

/** Accepts every kind of credentials that the profile allows. */
export function apiOf(keys: TokenKeys, session: CheckSession) {
  const { bearer, ...context } = bearerOf(keys)
  const basic = PROFILES[context.profile].basic ? basicCheck() : undefined
  const checks: Checks = { bearer, basic, session }
  return { ...context, checks }
}

/** Accepts a token alone, if the profile allows that. */
export function bearerOf(keys: TokenKeys) {
  const settings = { ...edgeSettings, JWT_LIFETIME_SECONDS: tokenSettings.JWT_LIFETIME_SECONDS }
  const config = loadConfig(settings, edgeDeployed)
  const tokens = createTokens({ keys, lifetimeSeconds: config.JWT_LIFETIME_SECONDS, clock })
  const bearer = PROFILES[config.PROFILE].bearer ? bearerCheck(tokens) : undefined
  return { ...contextOf(config), profile: config.PROFILE, bearer }
}

function basicCheck(): NonNullable<Checks['basic']> {
  const open = memoizeAsync(async () => {
    const { makeBasicCheck } = await import('./passwords.ts')
    return makeBasicCheck()
  })
  return async (credentials) => (await open())(credentials)
}

function sessionCheck(): CheckSession {
  const open = memoizeAsync(async () => {
    const { openSessions } = await import('./sessions.ts')
    return openSessions().check
  })
  return async (id) => (await open())(id)
}

/** For endpoints that machines with an API key read, too. It loads the gate when the first key arrives. */
export async function makeReading() {
  const { checks, ...app } = await makeApi()
  return { ...app, checks: { ...checks, key: keyCheck() } satisfies Checks }
}

function keyCheck(): KeyGate['check'] {
  const open = memoizeAsync(async () => {
    const { openKeyGate } = await import('./key-gate.ts')
    return openKeyGate()
  })
  return async (text) => (await open()).check(text)
}
