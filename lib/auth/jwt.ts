import { Buffer } from 'node:buffer'
import { isRole, type Role } from '../users/role.ts'
import { expired, refusal } from './token-refusal.ts'

/** A token that was checked: whose it is, with which role, until when. */
export interface VerifiedToken {
  readonly username: string
  /** The id of the account (lib/users/account-id.ts); undefined if the token does not tell it. */
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
 * The claims that are checked once for each token: `sub`, `role`, `iat` and `exp` have to be there, `iss`, `aud`, `nbf`,
 * `uid` and the header's `typ` have to fit when they are. A token that names its key needs `iss` and `aud`, as all of ours
 * have.
 * @throws ServiceError `TOKEN_INVALID`: MISSING_CLAIMS or INVALID_CLAIMS
 */
export function readClaims({ header, payload }: CompactJwt): Claims {
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

/** What a token says, apart from whether it is valid now. */
export function describeToken({ sub, uid, role, iat, exp }: Claims): VerifiedToken {
  return { username: sub, uid, role, issuedAt: new Date(iat * 1000), expiresAt: new Date(exp * 1000) }
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

export type JwtObject = Readonly<Record<string, unknown>>

export const ALGORITHM = 'HS512'
const MAXIMUM_LENGTH = 4096

const utf8 = new TextDecoder('utf-8', { fatal: true })

export interface CompactJwt {
  readonly header: JwtObject
  readonly payload: JwtObject
  /** Several strings decode to one signature or text; only the canonical one counts (RFC 4648 section 3.5). */
  readonly isCanonical: boolean
}

/**
 * Takes a token apart that has the shape of one and asks for nothing but HS512; stricter than jose, which takes spaces,
 * several spellings of one signature and tokens of any length.
 * @throws ServiceError `TOKEN_INVALID`: MISSING, MALFORMED or UNSUPPORTED_ALGORITHM
 */
export function readCompactJwt(token: string): CompactJwt {
  if (token === '') throw refusal('MISSING')
  if (token.length > MAXIMUM_LENGTH || !/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) throw refusal('MALFORMED')
  const parts = token.split('.')
  const [header, payload] = [headerIn(parts[0] ?? ''), decodeJson(parts[1] ?? '')]
  if (header['alg'] !== ALGORITHM || header['crit'] !== undefined) throw refusal('UNSUPPORTED_ALGORITHM')
  return { header, payload, isCanonical: parts.every(isCanonicalPart) }
}

/** What may end a part, by how many characters are beyond whole groups of four: those whose unused bits are 0. */
const ENDS = ['', '', 'AQgw', 'AEIMQUYcgkosw048']

function isCanonicalPart(part: string): boolean {
  const beyond = part.length % 4
  return beyond === 0 || Boolean(ENDS[beyond]?.includes(part.slice(-1)))
}

/** The header that was read last: all tokens of one issuer have the same. */
let last: { readonly part: string; readonly header: JwtObject } | undefined

function headerIn(part: string): JwtObject {
  if (last?.part !== part) last = { part, header: decodeJson(part) }
  return last.header
}

function decodeJson(part: string): JwtObject {
  const value = parsed(Buffer.from(part, 'base64url'))
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JwtObject
  throw refusal('MALFORMED')
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    return undefined
  }
}
