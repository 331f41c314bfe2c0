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

/** The last second of the year 9999, the last one that has a text in every format (RFC 3339). */
const MAXIMUM_SECONDS = 253_402_300_799

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
  const missing = required.filter((name) => !Object.hasOwn(payload, name))
  if (missing.length > 0) throw refusal('MISSING_CLAIMS', `The token lacks ${missing.join(', ')}`)
  const { typ = 'JWT' } = header
  demand(typ === 'JWT' || isJwtType(typ), 'typ', 'is not JWT')
  const { sub, uid, role, iat, exp, nbf = 0, iss = ISSUER, aud = AUDIENCE } = payload
  demand(typeof sub === 'string', 'sub')
  demand(sub !== '', 'sub', 'is empty')
  demand(typeof role === 'string', 'role')
  demand(isRole(role), 'role', 'is unknown')
  const times = { iat: timeIn('iat', iat), exp: timeIn('exp', exp), nbf: timeIn('nbf', nbf) }
  demand(typeof iss === 'string', 'iss')
  demand(iss === ISSUER, 'iss', FOREIGN)
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud]
  demand(
    audiences.every((one) => typeof one === 'string'),
    'aud',
  )
  demand(audiences.includes(AUDIENCE), 'aud', FOREIGN)
  demand(isUid(uid), 'uid')
  return { sub, uid, role, ...times }
}

const FOREIGN = 'is not this service'

/** @throws ServiceError `TOKEN_INVALID`: INVALID_CLAIMS, which names the claim and its fault, never its value */
function demand(holds: boolean, name: string, fault = 'has a wrong type'): asserts holds {
  if (!holds) throw refusal('INVALID_CLAIMS', `${name} of the token ${fault}`)
}

/** A media type has no case, and need not begin with `application/` (RFC 7515 section 4.1.9). */
function isJwtType(typ: unknown): boolean {
  return typeof typ === 'string' && /^(?:application\/)?jwt$/i.test(typ)
}

function isUid(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === 'string' && value !== '')
}

/** Whole seconds since the epoch; `1e400` in a token is read as infinity. */
function timeIn(name: string, value: unknown): number {
  demand(typeof value === 'number' && Math.trunc(value) === value, name)
  demand(value >= 0 && value <= MAXIMUM_SECONDS, name, 'is no time before the year 10000')
  return value
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
  if (iat > seconds || nbf > seconds)
    throw refusal('NOT_YET_VALID', `${iat > seconds ? 'iat' : 'nbf'} of the token is in the future`)
}

/** @param tokenError the cause; no value of the token gets into an answer */
export function refusal(tokenStatus: Exclude<TokenStatus, 'EXPIRED'>, tokenError: string): ServiceError {
  return fail('TOKEN_INVALID', { tokenError, tokenStatus })
}

export function expired(expiresAt: Date, now: Date): ServiceError {
  return fail('TOKEN_EXPIRED', {
    tokenError: 'The token is past its expiry time',
    tokenStatus: 'EXPIRED',
    expiredAt: expiresAt.toISOString(),
    currentTime: now.toISOString(),
  })
}
