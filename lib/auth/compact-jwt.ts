import { Buffer } from 'node:buffer'
import { refusal } from './token-status.ts'

export type Json = Readonly<Record<string, unknown>>

export const ALGORITHM = 'HS512'
const MAXIMUM_LENGTH = 4096

const utf8 = new TextDecoder('utf-8', { fatal: true })

export interface CompactJwt {
  readonly header: Json
  readonly payload: Json
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
  const [header, payload] = [decodeJson(parts[0] ?? ''), decodeJson(parts[1] ?? '')]
  if (header['alg'] !== ALGORITHM || header['crit'] !== undefined) throw refusal('UNSUPPORTED_ALGORITHM')
  const isCanonical = parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
  return { header, payload, isCanonical }
}

function decodeJson(part: string): Json {
  const value = parsed(Buffer.from(part, 'base64url'))
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
  throw refusal('MALFORMED')
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    return undefined
  }
}
