import { Buffer } from 'node:buffer'
import { createPrivateKey, createPublicKey, sign, X509Certificate } from 'node:crypto'
import { readBase64 } from '../webhooks/schemes/encoding.ts'
import { HMAC_SHA256_WHSEC, macOf } from '../webhooks/schemes/methods.ts'
import { goodSecrets, type SharedSecret } from '../webhooks/verify.ts'
import type { DeliveredEvent } from './delivery.ts'

/** The id of a message, the same for every try and replay. It has no dot, because in the signed text a dot ends it. */
export function messageId({ id }: Pick<DeliveredEvent, 'id'>): string {
  return `gh_${id}`
}

/**
 * The headers of Standard Webhooks 1.0.0 ("Webhook metadata", "Signature scheme"). Each secret that is good at the time
 * of the try adds a signature. So a receiver may know the old one or the new one while a secret is replaced.
 * @param secrets as {@link signerOf} reads them
 * @returns undefined if no readable secret is good at that time
 */
export function signatureHeaders(
  event: Pick<DeliveredEvent, 'id'> & { readonly payload: Buffer },
  secrets: readonly SharedSecret[],
  at: Date,
): Readonly<Record<string, string>> | undefined {
  const id = messageId(event)
  const timestamp = timestampOf(at)
  const parts = [Buffer.from(`${id}.${timestamp}.`), event.payload]
  const signatures = goodSecrets(secrets, at).flatMap((secret) => knownSigner(secret)?.sign(parts) ?? [])
  if (signatures.length === 0) return undefined
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/** In seconds since the epoch. */
export function timestampOf(at: Date): string {
  return `${Math.floor(at.getTime() / 1000)}`
}

/** The public keys, `whpk_` and base64, of what signs now or will. */
export function publicKeysOf(secrets: readonly SharedSecret[], now: Date): readonly string[] {
  return secrets
    .filter(({ notAfter }) => notAfter === undefined || now <= notAfter)
    .flatMap((secret) => knownSigner(secret)?.publicKey ?? [])
}

interface Signer {
  /** The version and the signature, as the header has them. */
  sign(parts: readonly Buffer[]): string
  readonly publicKey?: string
}

const known = new WeakMap<SharedSecret, Signer>()

/** Parsed once: parsing a key costs more than using it. */
function knownSigner(secret: SharedSecret): Signer | undefined {
  const signer = known.get(secret) ?? signerOf(secret.value)
  if (signer) known.set(secret, signer)
  return signer
}

/**
 * Standard Webhooks, "Signature scheme".
 * @param secret base64, with or without `whsec_`, for HMAC-SHA256; `whsk_` and base64 for Ed25519
 */
export function signerOf(secret: string): Signer | undefined {
  const [, encoded] = /^whsk_(.+)$/.exec(secret) ?? []
  if (encoded !== undefined) return ed25519(readBase64(encoded))
  const key = HMAC_SHA256_WHSEC.readKey(secret)?.material
  return key && { sign: (parts) => `v1,${macOf('sha256', key, parts).toString('base64')}` }
}

/** RFC 8410, section 7: the bytes before the 32 bytes of an Ed25519 private key in DER form. */
const PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** @param given the 32 bytes of RFC 8032, section 5.1.5, alone or followed by those of the public key, as libsodium has it */
function ed25519(given: Buffer | undefined): Signer | undefined {
  if (given === undefined) return undefined
  if (given.length !== 32 && given.length !== 64) return undefined
  const key = createPrivateKey({ key: Buffer.concat([PREFIX, given.subarray(0, 32)]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  if (given.length === 64 && Buffer.compare(given.subarray(32), publicKey) !== 0) return undefined
  return {
    sign: (parts) => `v1a,${sign(null, Buffer.concat(parts), key).toString('base64')}`,
    publicKey: `whpk_${publicKey.toString('base64')}`,
  }
}

/** When the certificate ends that a text holds in PEM, beside its private key; undefined for any other text. */
export function certificateIn(pem: string): { readonly endsAt: Date } | undefined {
  try {
    const certificate = new X509Certificate(pem)
    return certificate.checkPrivateKey(createPrivateKey(pem)) ? { endsAt: certificate.validToDate } : undefined
  } catch {
    return undefined
  }
}
