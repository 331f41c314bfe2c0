import { Buffer } from 'node:buffer'
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { type CryptoKey, compactVerify, errors } from 'jose'
import { ALGORITHM } from './compact-jwt.ts'

export interface TokenKey {
  readonly kid: string
  readonly secret: Uint8Array<ArrayBuffer>
}

/** A key, imported once for the life of the process: jose imports a raw secret again at every call. */
export interface SigningKey {
  readonly kid: string
  readonly secret: KeyObject
  /** The same key for jose. */
  readonly imported: CryptoKey
}

export function signingKey({ kid, secret: bytes }: TokenKey): SigningKey {
  const secret = createSecretKey(bytes)
  return { kid, secret, imported: secret.toCryptoKey({ name: 'HMAC', hash: 'SHA-512' }, false, ['sign', 'verify']) }
}

/**
 * Whether a key signed a token. What is accepted is for jose to say, once for each token; a forgery never gets there,
 * because jose asks a pool of threads and makes an error with a stack: ten times the work (decision 16).
 */
export async function isSignedWith(token: string, key: SigningKey): Promise<boolean> {
  if (!isMacOf(token, key.secret)) return false
  try {
    await compactVerify(token, key.imported, { algorithms: [ALGORITHM] })
    return true
  } catch (error) {
    if (error instanceof errors.JOSEError) return false
    throw error
  }
}

/** RFC 7515 section 5.2, step 8, with HMAC SHA-512 (RFC 7518 section 3.2). */
function isMacOf(token: string, secret: KeyObject): boolean {
  const end = token.lastIndexOf('.')
  const mac = createHmac('sha512', secret).update(token.slice(0, end)).digest()
  const given = Buffer.from(token.slice(end + 1), 'base64url')
  return given.length === mac.length && timingSafeEqual(given, mac)
}
