import type { Metadata } from '@grpc/grpc-js'
import { type AccountGate, confirming } from '../auth/account-gate.ts'
import { bearerTokenIn } from '../auth/authorization.ts'
import type { KeyGate } from '../auth/keys/gate.ts'
import { KEY_HEADER, presentedKey } from '../auth/keys/presented-key.ts'
import type { Principal } from '../auth/principal.ts'
import { refusal } from '../auth/token-refusal.ts'
import { ServiceError } from '../errors.ts'
import { demandOf, isOpenToKeys, isReading } from './policy.ts'

/** How a token is checked: as on every other channel. */
export type TokenCheck = (token: string) => Principal | Promise<Principal>

/** How credentials are checked; without a gate, API keys count as none. */
export interface CredentialChecks {
  readonly check: TokenCheck
  readonly accounts: AccountGate
  readonly keys?: KeyGate | undefined
}

/**
 * The caller named by the metadata of a call (channels-5); undefined without credentials. Public methods ignore
 * credentials; a method that accepts a token but does not require one ignores a bad one. An API key counts where it
 * suffices. For a call that does more than read, the account of the token is looked up as well.
 * @throws ServiceError `TOKEN_INVALID`, `TOKEN_EXPIRED`, `API_KEY_INVALID`, `VALIDATION_FAILED`, `UNAVAILABLE`, or
 * rejects with it
 */
export function authenticate(
  metadata: Metadata,
  path: string,
  { check, accounts, keys }: CredentialChecks,
): Principal | undefined | Promise<Principal | undefined> {
  const key = keys && isOpenToKeys(path) ? keyIn(metadata) : undefined
  if (keys && key !== undefined) return keys.check(key)
  const demand = demandOf(path)
  if (demand === 'optional') return welcome(metadata, check)
  const token = demand === 'public' ? undefined : tokenIn(metadata)
  if (token === undefined) return undefined
  return isReading(path) ? check(token) : confirming(check, accounts)(token)
}

/**
 * Checks again the credentials of a call that was accepted: the key, or the token, with the present signing keys, and
 * its account. Rejects once they are over, as {@link authenticate} does.
 */
export async function confirmCaller({ key }: Principal, metadata: Metadata, checks: CredentialChecks): Promise<void> {
  const { check, accounts, keys } = checks
  if (keys && key) await keys.confirm(key.id)
  else await confirming(check, accounts)(tokenIn(metadata) ?? '')
}

async function welcome(metadata: Metadata, check: TokenCheck): Promise<Principal | undefined> {
  try {
    const token = tokenIn(metadata)
    return token === undefined ? undefined : await check(token)
  } catch (error) {
    if (error instanceof ServiceError && error.status === 401) return undefined
    throw error
  }
}

function keyIn(metadata: Metadata): string | undefined {
  return presentedKey(metadata.get(KEY_HEADER).map(String), metadata.get('authorization').length > 0)
}

/** Two values are no token: another reader of the same call might use the other one. */
function tokenIn(metadata: Metadata): string | undefined {
  const [authorization, ...others] = metadata.get('authorization')
  if (others.length > 0) throw refusal('MALFORMED')
  return authorization === undefined ? undefined : bearerTokenIn(String(authorization))
}
