import { bearerCheck } from '../auth/bearer.ts'
import { acceptsBearer } from '../auth/profile.ts'
import { createTokens, type Tokens } from '../auth/token.ts'
import type { Checks } from '../http/authenticate.ts'
import type { Config } from '../platform/config.ts'
import type { edgeSettings } from '../platform/settings/edge.ts'
import type { tokenSettings } from '../platform/settings/token.ts'
import { clock } from './edge.ts'

export function tokensOf({ JWT_KEYS, JWT_LIFETIME_SECONDS }: Config<typeof tokenSettings>): Promise<Tokens> {
  return createTokens({ keys: JWT_KEYS, lifetimeSeconds: JWT_LIFETIME_SECONDS, clock })
}

/** The credentials that the profile accepts. */
export function checksOf({ PROFILE }: Pick<Config<typeof edgeSettings>, 'PROFILE'>, tokens: Tokens): Checks {
  return { bearer: acceptsBearer(PROFILE) ? bearerCheck(tokens) : undefined }
}
