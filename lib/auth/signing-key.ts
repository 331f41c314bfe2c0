import { Buffer } from 'node:buffer'
import type { KeyObject } from 'node:crypto'
import { getBuiltinModule } from 'node:process'
import type { CryptoKey } from 'jose'
import { JOSEError } from 'jose/errors'
import { compactVerify } from 'jose/jws/compact/verify'
import { ALGORITHM } from './jwt.ts'

export interface TokenKey {
  readonly kid: string
  readonly secret: Uint8Array<ArrayBuffer>
}

/** A key, imported once for the life of the process: jose imports a raw secret again at every call. */
export interface SigningKey {
  readonly kid: string
  readonly imported: Promise<CryptoKey>
  /**
   * Whether it signed a token. What is accepted is for jose to say, once for each token. After the first forgery none
   * gets there any more that its MAC gives away: jose takes three times as long for it (docs/decisions/0016-forgeries.md).
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
