import type { Metadata } from '@grpc/grpc-js'
import { bearerTokenIn } from '../auth/bearer.ts'
import type { Principal } from '../auth/principal.ts'
import { refusal } from '../auth/token-status.ts'
import { authorize, demandOf } from './policy.ts'

/** How a token is checked: as on every other channel. */
export type TokenCheck = (token: string) => Principal | Promise<Principal>

/**
 * Lets a call in: finds the token in its metadata (spec 4.3), has it checked and decides on access. Public methods ignore
 * credentials.
 * @throws ServiceError `AUTHENTICATION_REQUIRED`, `TOKEN_INVALID`, `TOKEN_EXPIRED`, `ROLE_REQUIRED`
 */
export async function admit(metadata: Metadata, path: string, check: TokenCheck): Promise<Principal | undefined> {
  if (demandOf(path) === 'public') return undefined
  const token = tokenIn(metadata)
  const principal = token === undefined ? undefined : await check(token)
  authorize(principal, path)
  return principal
}

/** Two values are no token: another reader of the same call might believe the other one. */
function tokenIn(metadata: Metadata): string | undefined {
  const [authorization, ...others] = metadata.get('authorization')
  if (others.length > 0) throw refusal('MALFORMED')
  return authorization === undefined ? undefined : bearerTokenIn(String(authorization))
}
