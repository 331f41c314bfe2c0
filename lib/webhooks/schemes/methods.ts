import { Buffer } from 'node:buffer'
import {
  createHash,
  createHmac,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
  type VerifyKeyObjectInput,
  verify,
} from 'node:crypto'
import { readBase64, readHex } from './encoding.ts'
import type { SignedPart } from './scheme.ts'

/** A configured secret, parsed once. */
export interface Key {
  readonly material: KeyObject
  /** The provider's name of the key, for schemes that sign it too. */
  readonly name: string
}

/** One way to sign bytes. */
export interface Method {
  /** Undefined if the configured text is no key of this kind. */
  readonly readKey: (secret: string) => Key | undefined
  /** Whether one of the signatures holds. Never throws; compares in constant time. */
  readonly holds: (key: Key, signatures: readonly Buffer[], parts: readonly SignedPart[]) => boolean
  /** Of a keyed hash: for tools that sign as a sender does. */
  readonly mac?: { readonly hash: Hash; readonly form: KeyForm }
}

type KeyBytes = (secret: string) => Buffer | undefined

const asText: KeyBytes = (secret) => Buffer.from(secret)

/** Hexadecimal in either case. */
const asHex: KeyBytes = (secret) => readHex(secret.toLowerCase())

/** Standard Webhooks, "Signature scheme": `whsec_` and base64. Supabase writes the version before it: `v1,whsec_`. */
const asWhsec: KeyBytes = (secret) => readBase64(secret.replace(/^(?:v1,)?whsec_/, ''))

export type Hash = 'sha1' | 'sha256' | 'sha384' | 'sha512'

/** The keyed hash of the concatenated parts (RFC 2104). */
export function macOf(hash: Hash, key: KeyObject | Buffer | string, parts: readonly SignedPart[]): Buffer {
  const mac = createHmac(hash, key)
  for (const part of parts) mac.update(part)
  // Allocates from Node's pool of small buffers: a digest without an encoding costs a buffer of its own.
  return Buffer.from(mac.digest('binary'), 'binary')
}

/** How a secret is written. */
export const KEY_FORMS = { text: asText, hex: asHex, base64: readBase64, whsec: asWhsec } as const

export type KeyForm = keyof typeof KEY_FORMS

/** Signs with a keyed hash. */
export function hmac(hash: Hash, form: KeyForm): Method {
  const read = KEY_FORMS[form]
  return {
    mac: { hash, form },
    readKey: (secret) => named(read(secret), createSecretKey),
    holds(key, signatures, parts) {
      const expected = macOf(hash, key.material, parts)
      return signatures.some((signature) => isEqual(signature, expected))
    },
  }
}

function publicKey(
  hash: 'sha1' | 'sha256' | null,
  read: (secret: string) => Key | undefined,
  options: object = {},
): Method {
  return {
    readKey: (secret) => attempt(() => read(secret)),
    holds({ material: key }, signatures, parts) {
      const signed = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
      const input: VerifyKeyObjectInput = { key, ...options }
      return signatures.some((signature) => verify(hash, signed, input, signature))
    },
  }
}

export const HMAC_SHA256 = hmac('sha256', 'text')
export const HMAC_SHA1 = hmac('sha1', 'text')
export const HMAC_SHA256_HEX_KEY = hmac('sha256', 'hex')
export const HMAC_SHA256_WHSEC = hmac('sha256', 'whsec')

/**
 * The call contains the secret itself. Both sides are hashed, so that the comparison does not reveal the secret's
 * length.
 */
export const TOKEN: Method = {
  readKey: HMAC_SHA256.readKey,
  holds: (key, signatures) =>
    signatures.some((signature) => timingSafeEqual(sha256(signature), sha256(key.material.export()))),
}

/** As {@link TOKEN}, for a user name and a password. */
export const BASIC: Method = {
  ...TOKEN,
  readKey: (secret) => (/^[^:]+:./s.test(secret) ? TOKEN.readKey(secret) : undefined),
}

/** RFC 8410, section 4: the bytes before the 32 bytes of an Ed25519 public key in DER form. */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/** A raw public key in hexadecimal. */
export const ED25519 = publicKey(null, (secret) => rawEd25519(readHex(secret)))

/** Standard Webhooks, "Signature scheme": a raw public key as `whpk_` and base64. Without the prefix it is no key. */
export const ED25519_WHPK = publicKey(null, (secret) => {
  const [, encoded = ''] = /^(?:v1a,)?whpk_(.+)$/.exec(secret) ?? []
  return rawEd25519(readBase64(encoded))
})

/** A public key in base64 DER, signatures in DER. */
export const ECDSA_P256 = publicKey('sha256', (secret) => onP256(named(readBase64(secret), fromDer)))

/** A public key as JSON Web Key, signatures in the form of JWS (RFC 7518, section 3.4). */
export const ES256_JWK = publicKey(
  'sha256',
  (secret) => {
    const jwk = JSON.parse(secret)
    return onP256({ material: createPublicKey({ key: jwk, format: 'jwk' }), name: String(jwk.kid ?? '') })
  },
  { dsaEncoding: 'ieee-p1363' },
)

/** The name of the key, a colon, and the public key or certificate in PEM. */
export const RSA_SHA256_NAMED = publicKey('sha256', (secret) =>
  namedRsa(/^([^:\s]+):(.+)$/s.exec(secret), createPublicKey),
)

const pemAfterBlank = (secret: string) => namedRsa(/^(\S+) (.+)$/s.exec(secret), createPublicKey)

/** The name of the key, a blank, and the public key or certificate in PEM. */
export const RSA_SHA1_PEM = publicKey('sha1', pemAfterBlank)
export const RSA_SHA256_PEM = publicKey('sha256', pemAfterBlank)

/** Two words, which together are the name of the key, and the public key as JSON Web Key (RFC 7518, section 3.3). */
export const RS256_JWK = publicKey('sha256', (secret) =>
  namedRsa(/^(\S+ \S+) (\{.+\})$/s.exec(secret), (text) => createPublicKey({ key: JSON.parse(text), format: 'jwk' })),
)

/** NIST SP 800-131A: the length below which nothing more may be signed, in bits. */
const MINIMUM_RSA_BITS = 2048

function namedRsa(parts: RegExpExecArray | null, read: (text: string) => KeyObject): Key | undefined {
  const [, name = '', text = ''] = parts ?? []
  const material = parts ? read(text) : undefined
  const bits = material?.asymmetricKeyType === 'rsa' ? (material.asymmetricKeyDetails?.modulusLength ?? 0) : 0
  return material && bits >= MINIMUM_RSA_BITS ? { material, name } : undefined
}

/** Its length is checked here: a reader of DER ignores what comes after the key. */
function rawEd25519(raw: Buffer | undefined): Key | undefined {
  return raw?.length === 32 ? named(Buffer.concat([ED25519_PREFIX, raw]), fromDer) : undefined
}

function fromDer(key: Buffer): KeyObject {
  return createPublicKey({ key, format: 'der', type: 'spki' })
}

function onP256(key: Key | undefined): Key | undefined {
  return key?.material.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined
}

function named(bytes: Buffer | undefined, read: (bytes: Buffer) => KeyObject): Key | undefined {
  return bytes && bytes.length > 0 ? { material: read(bytes), name: '' } : undefined
}

/** Undefined for an unreadable key, at which libraries throw. */
function attempt(read: () => Key | undefined): Key | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

export function sha256(bytes: Buffer | string): Buffer {
  return createHash('sha256').update(bytes).digest()
}

function isEqual(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}
