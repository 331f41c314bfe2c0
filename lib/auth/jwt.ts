import { Buffer } from 'node:buffer'
import type { DecodedJwt, JwtObject } from './claims.ts'
import { refusal } from './token-refusal.ts'

export const ALGORITHM = 'HS512'
const MAXIMUM_LENGTH = 4096

const utf8 = new TextDecoder('utf-8', { fatal: true })

export interface CompactJwt extends DecodedJwt {
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
