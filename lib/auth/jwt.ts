import { Buffer } from 'node:buffer'
import type { KeyObject } from 'node:crypto'
import { getBuiltinModule } from 'node:process'
import type { CryptoKey } from 'jose'
import { JOSEError } from 'jose/errors'
import { compactVerify } from 'jose/jws/compact/verify'
import type { ServiceError } from '../errors.ts'
import { fromUtf8 } from '../runtime/text.ts'
import { type DecodedJwt, type JwtObject, refusal } from './claims.ts'

export const ALGORITHM = 'HS512'
const MAXIMUM_LENGTH = 4096

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
  if (token === '') throw refusal('MISSING', 'The Authorization header carries no token')
  if (token.length > MAXIMUM_LENGTH) throw refusal('MALFORMED', `The token is longer than ${MAXIMUM_LENGTH} characters`)
  if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) throw malformed()
  const parts = token.split('.')
  const [header, payload] = [headerIn(parts[0] ?? ''), decodeJson(parts[1] ?? '')]
  if (header['alg'] !== ALGORITHM) throw refusal('UNSUPPORTED_ALGORITHM', `The token is not signed with ${ALGORITHM}`)
  if (header['crit'] !== undefined) throw refusal('UNSUPPORTED_ALGORITHM', 'The token demands an extension (crit)')
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
  throw malformed()
}

function malformed(): ServiceError {
  return refusal('MALFORMED', 'The token is not a signed JWT in compact form')
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(fromUtf8(bytes) ?? '')
  } catch {
    return undefined
  }
}

export interface TokenKey {
  readonly kid: string
  readonly secret: Uint8Array<ArrayBuffer>
}

/** A key, imported once for the life of the process: jose imports a raw secret again at every call. */
export interface SigningKey {
  readonly kid: string
  readonly imported: Promise<CryptoKey>
  /**
   * Whether it signed a token: jose decides, once for each token. After the first forgery, a token with a wrong MAC is
   * refused before it gets to jose, which takes three times as long (decision 16).
   */
  hasSigned(token: string): Promise<boolean>
}

export function signingKey({ kid, secret }: TokenKey): SigningKey {
  const imported = crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-512' }, false, ['sign', 'verify'])
  /** Set by the first forgery. */
  let macKey: KeyObject | undefined
  return {
    kid,
    imported,
    async hasSigned(token) {
      if (macKey && !isMacOf(token, macKey)) return false
      try {
        await compactVerify(token, await imported, { algorithms: [ALGORITHM] })
        return true
      } catch (error) {
        if (!(error instanceof JOSEError)) throw error
        macKey ??= nodeCrypto().createSecretKey(secret)
        return false
      }
    },
  }
}

/** On first use: loading it as well as Web Crypto would make a cold start longer by a fifth. */
const nodeCrypto = () => getBuiltinModule('node:crypto')

/** RFC 7515 section 5.2, step 8, with HMAC SHA-512 (RFC 7518 section 3.2). */
function isMacOf(token: string, key: KeyObject): boolean {
  const { createHmac, timingSafeEqual } = nodeCrypto()
  const end = token.lastIndexOf('.')
  const mac = createHmac('sha512', key).update(token.slice(0, end)).digest()
  const given = Buffer.from(token.slice(end + 1), 'base64url')
  return given.length === mac.length && timingSafeEqual(given, mac)
}
