import type { TokenStatus } from '../contract/tokens.ts'
import { fail, type ServiceError } from '../errors.ts'
import { isRole, type Role } from '../users/role.ts'

export type JwtObject = Readonly<Record<string, unknown>>

/** The first two parts of a token. */
export interface DecodedJwt {
  readonly header: JwtObject
  readonly payload: JwtObject
}

/** A verified token: its account, its role, and its end. */
export interface VerifiedToken {
  readonly username: string
  /** The id of the account (lib/users/user.ts); undefined if the token has none. */
  readonly uid: string | undefined
  readonly role: Role
  readonly issuedAt: Date
  readonly expiresAt: Date
}

export const ISSUER = 'gatehouse'
export const AUDIENCE = 'gatehouse'

/** The largest distance from the epoch that a Date can hold, in seconds. */
const MAXIMUM_SECONDS = 8_640_000_000_000

export interface Claims {
  readonly sub: string
  readonly uid?: string | undefined
  readonly role: Role
  readonly iat: number
  readonly exp: number
  readonly nbf: number
}

const REQUIRED = ['sub', 'role', 'iat', 'exp']
const REQUIRED_OF_OURS = [...REQUIRED, 'iss', 'aud']

/**
 * The claims that are checked once for each token. `sub`, `role`, `iat` and `exp` are required; `iss`, `aud`, `nbf`,
 * `uid` and the header's `typ` must be right if they exist. A token that names its key needs `iss` and `aud`, which all
 * of ours have.
 * @throws ServiceError `TOKEN_INVALID`: MISSING_CLAIMS or INVALID_CLAIMS
 */
export function readClaims({ header, payload }: DecodedJwt): Claims {
  const required = Object.hasOwn(header, 'kid') ? REQUIRED_OF_OURS : REQUIRED
  if (required.some((name) => !Object.hasOwn(payload, name))) throw refusal('MISSING_CLAIMS')
  const { sub, uid, role, iat, exp, nbf = 0, iss = ISSUER, aud = AUDIENCE } = payload
  const { typ = 'JWT' } = header
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud]
  if (
    typeof sub !== 'string' ||
    sub === '' ||
    !isUid(uid) ||
    !isRole(role) ||
    !isTime(iat) ||
    !isTime(exp) ||
    !isTime(nbf) ||
    iss !== ISSUER ||
    !audiences.includes(AUDIENCE) ||
    typ !== 'JWT'
  ) {
    throw refusal('INVALID_CLAIMS')
  }
  return { sub, uid, role, iat, exp, nbf }
}

function isUid(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === 'string' && value !== '')
}

/** Whole seconds since the epoch that a Date can hold; `1e400` in a token is read as infinity. */
function isTime(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) <= MAXIMUM_SECONDS
}

/** The content of a token, whether it is valid now or not. */
export function describeToken({ sub, uid, role, iat, exp }: Claims): VerifiedToken {
  return { username: sub, uid, role, issuedAt: new Date(iat * 1000), expiresAt: new Date(exp * 1000) }
}

/**
 * Refuses a token that is not valid at a time, without any clock tolerance.
 * @throws ServiceError `TOKEN_EXPIRED`, or `TOKEN_INVALID`: NOT_YET_VALID
 */
export function checkTimes({ iat, exp, nbf }: Claims, now: Date): void {
  const seconds = now.getTime() / 1000
  if (exp <= seconds) throw expired(new Date(exp * 1000), now)
  if (iat > seconds || nbf > seconds) throw refusal('NOT_YET_VALID')
}

/** The fixed text of each status: nothing of the token gets into an answer. */
const REASONS = {
  MISSING: 'The Authorization header carries no token',
  MALFORMED: 'The token is not a signed JWT in compact form',
  UNSUPPORTED_ALGORITHM: 'The token is not signed with HS512, or demands an extension',
  INVALID_SIGNATURE: 'JWT signature does not match locally computed signature',
  MISSING_CLAIMS: 'The token lacks one of the claims sub, role, iat, exp',
  INVALID_CLAIMS: 'A claim of the token has a wrong type or value',
  EXPIRED: 'The token is past its expiry time',
  NOT_YET_VALID: 'The token is not valid yet',
  REVOKED: 'The account of the token has ended, changed or logged out since',
} as const satisfies Record<TokenStatus, string>

export function refusal(tokenStatus: Exclude<TokenStatus, 'EXPIRED'>): ServiceError {
  return fail('TOKEN_INVALID', { tokenError: REASONS[tokenStatus], tokenStatus })
}

export function expired(expiresAt: Date, now: Date): ServiceError {
  return fail('TOKEN_EXPIRED', {
    tokenError: REASONS.EXPIRED,
    tokenStatus: 'EXPIRED',
    expiredAt: expiresAt.toISOString(),
    currentTime: now.toISOString(),
  })
}
