import { isRole, type Role } from '../users/role.ts'
import type { CompactJwt } from './compact-jwt.ts'
import { expired, refusal } from './token-status.ts'

/** A token that was checked: whose it is, with which role, until when. */
export interface VerifiedToken {
  readonly username: string
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
  readonly role: Role
  readonly iat: number
  readonly exp: number
  readonly nbf: number
}

const REQUIRED = ['sub', 'role', 'iat', 'exp']

/**
 * The claims that are checked once for each token: `sub`, `role`, `iat` and `exp` have to be there, `iss`, `aud`, `nbf`
 * and the header's `typ` have to fit when they are.
 * @throws ServiceError `TOKEN_INVALID`: MISSING_CLAIMS or INVALID_CLAIMS
 */
export function readClaims({ header, payload }: CompactJwt): Claims {
  if (REQUIRED.some((name) => !Object.hasOwn(payload, name))) throw refusal('MISSING_CLAIMS')
  const { sub, role, iat, exp, nbf = 0, iss = ISSUER, aud = AUDIENCE } = payload
  const { typ = 'JWT' } = header
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud]
  if (
    typeof sub !== 'string' ||
    sub === '' ||
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
  return { sub, role, iat, exp, nbf }
}

/** Whole seconds since the epoch that a Date can hold; `1e400` in a token is read as infinity. */
function isTime(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) <= MAXIMUM_SECONDS
}

/** What a token says, apart from whether it is valid now. */
export function describeToken({ sub, role, iat, exp }: Claims): VerifiedToken {
  return { username: sub, role, issuedAt: new Date(iat * 1000), expiresAt: new Date(exp * 1000) }
}

/**
 * Refuses what is not valid at a time; without any clock tolerance.
 * @throws ServiceError `TOKEN_EXPIRED`, or `TOKEN_INVALID`: NOT_YET_VALID
 */
export function checkTimes({ iat, exp, nbf }: Claims, now: Date): void {
  const seconds = now.getTime() / 1000
  if (exp <= seconds) throw expired(new Date(exp * 1000), now)
  if (iat > seconds || nbf > seconds) throw refusal('NOT_YET_VALID')
}
