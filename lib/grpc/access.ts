import type { Metadata } from '@grpc/grpc-js'
import { type AccessRule, decide } from '../auth/access.ts'
import { type AccountGate, confirming } from '../auth/account-gate.ts'
import { bearerTokenIn, KEY_HEADER, onlyAuthorization, presentedKey } from '../auth/authorization.ts'
import type { KeyGate } from '../auth/keys/gate.ts'
import type { Principal } from '../auth/principal.ts'
import { withoutCredentials } from '../auth/without-credentials.ts'
import type { TrailAction } from '../contract/requests/trail.ts'
import { fail, ServiceError } from '../errors.ts'
import type { Role } from '../users/role.ts'

/** Who may call a method: everybody; everybody, but with a valid token for longer; any valid token; or a role. */
type Demand = 'public' | 'optional' | 'authenticated' | Role

/** A method that is not listed here requires ROLE_ADMIN. */
const DEMANDS = new Map<string, Demand>([
  ['/gatehouse.v1.AuthService/WhoAmI', 'authenticated'],
  ['/gatehouse.v1.SecureService/PublicHello', 'public'],
  ['/gatehouse.v1.SecureService/UserSecure', 'ROLE_USER'],
  ['/grpc.health.v1.Health/Check', 'public'],
  ['/grpc.health.v1.Health/List', 'public'],
  ['/grpc.health.v1.Health/Watch', 'optional'],
  ['/grpc.reflection.v1.ServerReflection/ServerReflectionInfo', 'authenticated'],
])

/** The methods for which an API key suffices, in place of the role. */
const OPEN_TO_KEYS: ReadonlySet<string> = new Set([
  '/gatehouse.v1.WebhookEventService/GetWebhookEvent',
  '/gatehouse.v1.WebhookEventService/ListWebhookEvents',
  '/gatehouse.v1.WebhookEventService/WatchWebhookEvents',
])

/** Calls that read once: for them a token is good until it ends. A stream could outlast its account. */
const READING: ReadonlySet<string> = new Set([
  '/gatehouse.v1.AuthService/WhoAmI',
  '/gatehouse.v1.SecureService/AdminSecure',
  '/gatehouse.v1.SecureService/UserSecure',
  '/gatehouse.v1.WebhookEventService/GetWebhookEvent',
  '/gatehouse.v1.WebhookEventService/ListWebhookEvents',
])

/** The actions of methods that the audit trail records even if their role is missing. */
const RECORDED = new Map<string, TrailAction>([
  ['/gatehouse.v1.WebhookEventService/RetryWebhookEvent', 'event.retried'],
])

export const NAMED_PATHS: readonly string[] = [
  ...new Set([...DEMANDS.keys(), ...OPEN_TO_KEYS, ...READING, ...RECORDED.keys()]),
]

export function recordedActionOf(path: string): TrailAction | undefined {
  return RECORDED.get(path)
}

function isReading(path: string): boolean {
  return READING.has(path)
}

function isOpenToKeys(path: string): boolean {
  return OPEN_TO_KEYS.has(path)
}

export function demandOf(path: string): Demand {
  return DEMANDS.get(path) ?? 'ROLE_ADMIN'
}

/**
 * The access decision (auth-1).
 * @throws ServiceError `AUTHENTICATION_REQUIRED`, `ROLE_REQUIRED`
 */
export function authorize(principal: Principal | undefined, path: string): void {
  const demand = demandOf(path)
  if (demand === 'public' || demand === 'optional') return
  const requirement: AccessRule = demand === 'authenticated' ? {} : { role: demand }
  const { verdict } = decide(principal, { ...requirement, isOpenToKeys: isOpenToKeys(path) })
  if (verdict === 'granted') return
  if (!principal) throw fail('AUTHENTICATION_REQUIRED')
  const [, , action = ''] = path.split('/')
  throw fail('ROLE_REQUIRED', { requiredRole: demand, userRoles: principal.roles, resource: path, action })
}

/** How a token is checked: as on every other channel. */
export type TokenCheck = (token: string) => Principal | Promise<Principal>

/** How credentials are checked. */
export interface CredentialChecks {
  readonly check: TokenCheck
  readonly accounts: AccountGate
  readonly keys: KeyGate
}

/**
 * The caller named by the metadata of a call (channels-5). Public methods ignore credentials; a method that accepts a
 * token but does not require one ignores a bad one; both may have no caller. An API key counts where it suffices. For a
 * call that does more than read, the account of the token is looked up as well.
 * @throws ServiceError as {@link withoutCredentials} says, `TOKEN_INVALID`, `TOKEN_EXPIRED`, `API_KEY_INVALID`,
 * `VALIDATION_FAILED`, `UNAVAILABLE`, or rejects with it
 */
export function authenticate(
  metadata: Metadata,
  path: string,
  { check, accounts, keys }: CredentialChecks,
): Principal | undefined | Promise<Principal | undefined> {
  const kinds = isOpenToKeys(path) ? (['bearer', 'key'] as const) : (['bearer'] as const)
  const key = isOpenToKeys(path) ? keyIn(metadata) : undefined
  if (key !== undefined) return keys.check(key)
  const demand = demandOf(path)
  if (demand === 'optional') return principalIfAny(metadata, check)
  if (demand === 'public') return undefined
  const token = tokenIn(metadata)
  if (token === undefined) throw withoutCredentials({ headers: metadata.getMap() }, { kinds, takesTokens: true })
  return isReading(path) ? check(token) : confirming(check, accounts)(token)
}

/**
 * Checks again the credentials of a call that was accepted: the key, or the token, with the present signing keys, and
 * its account. Rejects once they are over, as {@link authenticate} does.
 */
export async function confirmCaller({ key }: Principal, metadata: Metadata, checks: CredentialChecks): Promise<void> {
  const { check, accounts, keys } = checks
  if (key) await keys.confirm(key.id)
  else await confirming(check, accounts)(tokenIn(metadata) ?? '')
}

async function principalIfAny(metadata: Metadata, check: TokenCheck): Promise<Principal | undefined> {
  try {
    const token = tokenIn(metadata)
    return token === undefined ? undefined : await check(token)
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500) return undefined
    throw error
  }
}

function keyIn(metadata: Metadata): string | undefined {
  return presentedKey(metadata.get(KEY_HEADER).map(String), metadata.get('authorization').length > 0)
}

/** Two values are no token: another reader of the same call might use the other one. */
function tokenIn(metadata: Metadata): string | undefined {
  const [authorization, ...others] = metadata.get('authorization')
  if (authorization === undefined) return undefined
  return bearerTokenIn(onlyAuthorization(String(authorization), others.map(String)))
}
