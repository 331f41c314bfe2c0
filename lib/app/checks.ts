import { bearerCheck } from '../auth/bearer.ts'
import { PROFILES, type Profile } from '../auth/profile.ts'
import { createTokens, type Tokens } from '../auth/token.ts'
import type { BasicCredentials, Checks } from '../http/authenticate.ts'
import type { Config } from '../platform/config.ts'
import type { tokenSettings } from '../platform/settings/token.ts'
import { clock } from './edge.ts'
import { tokenKeys } from './token-keys.ts'

export function tokensOf({ JWT_LIFETIME_SECONDS }: Pick<Config<typeof tokenSettings>, 'JWT_LIFETIME_SECONDS'>): Tokens {
  return createTokens({ keys: tokenKeys, lifetimeSeconds: JWT_LIFETIME_SECONDS, clock })
}

/** Every kind of credentials that the profile accepts. What needs a store is loaded when the first of its kind comes. */
export function checksOf(profile: Profile, tokens: Tokens): Checks {
  const { bearer, basic } = PROFILES[profile]
  return {
    bearer: bearer ? bearerCheck(tokens) : undefined,
    basic: basic ? checkBasic : undefined,
    session: checkSession,
  }
}

async function checkBasic(credentials: BasicCredentials) {
  const { basicCheck } = await import('./basic-check.ts')
  return basicCheck(credentials)
}

/** The principal of a session that is not over. */
export async function checkSession(id: string) {
  const { sessionGuard } = await import('./session-guard.ts')
  const session = await sessionGuard.find(id)
  return session && sessionGuard.principalOf(session)
}
