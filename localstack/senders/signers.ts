import { Buffer } from 'node:buffer'
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { providerOf } from '../../lib/webhooks/providers/index.ts'
import { SAMPLES } from '../../lib/webhooks/providers/samples.ts'
import {
  BASIC,
  ECDSA_P256,
  ED25519,
  ED25519_WHPK,
  ES256_JWK,
  type KeyForm,
  type Method,
  macOf,
  RS256_JWK,
  RSA_SHA256_NAMED,
  RSA_SHA256_PEM,
  TOKEN,
} from '../../lib/webhooks/schemes/methods.ts'
import type { SignedPart } from '../../lib/webhooks/schemes/scheme.ts'
import type { SharedSecret } from '../../lib/webhooks/verify.ts'
import { StartError } from '../errors.ts'

/** The credentials that a sender and its receiver share. */
export interface SenderCredentials {
  /** As it is configured at the receiver: a shared secret, or the public key. */
  readonly secret: string
  /** The private key in PEM, of a sender that has one. */
  readonly signingKey?: string | undefined
}

/** The signing side of a method of the scheme table. */
interface Signer {
  /** Whether it signs with a private key. */
  readonly isPaired: boolean
  make(): SenderCredentials
  /** @throws StartError if the method needs a signing key and there is none */
  sign(credentials: SenderCredentials, parts: readonly SignedPart[]): Buffer
}

const NO_KEY =
  'This provider signs with a private key, which only a run with secrets of its own keeps: unset WEBHOOK_SECRETS.'

const SIGNERS: ReadonlyMap<Method, Signer> = new Map([
  [TOKEN, shared(textSecret, ({ secret }) => Buffer.from(secret))],
  [
    BASIC,
    shared(
      () => `gatehouse:${textSecret()}`,
      ({ secret }) => Buffer.from(secret),
    ),
  ],
  [
    ED25519,
    paired(
      null,
      () => generateKeyPairSync('ed25519'),
      (key) => derOf(key).subarray(-32).toString('hex'),
    ),
  ],
  [
    ED25519_WHPK,
    paired(
      null,
      () => generateKeyPairSync('ed25519'),
      (key) => `whpk_${derOf(key).subarray(-32).toString('base64')}`,
    ),
  ],
  [ECDSA_P256, paired('sha256', p256, (key) => derOf(key).toString('base64'))],
  [ES256_JWK, paired('sha256', p256, (key) => JSON.stringify(key.export({ format: 'jwk' })), 'ieee-p1363')],
  [RSA_SHA256_NAMED, paired('sha256', rsa, (key) => `WH-LOCAL:${pemOf(key)}`)],
  [RSA_SHA256_PEM, paired('sha256', rsa, (key) => `${SAMPLES.sns.keyName} ${pemOf(key)}`)],
  [
    RS256_JWK,
    paired(
      'sha256',
      rsa,
      (key) => `${SAMPLES['google-pubsub'].keyName} ${JSON.stringify(key.export({ format: 'jwk' }))}`,
    ),
  ],
])

/** The secrets of keyed hashes, as they are configured, and the key in them. */
const KEYS: Readonly<Record<KeyForm, { make(): string; read(secret: string): Buffer }>> = {
  text: { make: textSecret, read: (secret) => Buffer.from(secret) },
  hex: { make: hexSecret, read: (secret) => Buffer.from(secret, 'hex') },
  base64: { make: () => randomBytes(24).toString('base64'), read: (secret) => Buffer.from(secret, 'base64') },
  whsec: { make: whsecSecret, read: (secret) => Buffer.from(secret.replace(/^(?:v1,)?whsec_/, ''), 'base64') },
}

/** The signer of a method. @throws Error for a method without a signer */
export function signerOf(method: Method): Signer {
  const signer = method.mac ? macSigner(method.mac) : SIGNERS.get(method)
  if (signer) return signer
  throw new Error('no sender signs in this way yet')
}

function macSigner({ hash, form }: NonNullable<Method['mac']>): Signer {
  const { make, read } = KEYS[form]
  return shared(make, ({ secret }, parts) => macOf(hash, read(secret), parts))
}

function shared(secret: () => string, sign: Signer['sign']): Signer {
  return { isPaired: false, make: () => ({ secret: secret() }), sign }
}

type Pair = { readonly publicKey: KeyObject; readonly privateKey: KeyObject }

function paired(
  hash: 'sha256' | null,
  pair: () => Pair,
  publish: (key: KeyObject) => string,
  dsaEncoding: 'der' | 'ieee-p1363' = 'der',
): Signer {
  return {
    isPaired: true,
    make() {
      const { publicKey, privateKey } = pair()
      return {
        secret: publish(publicKey),
        signingKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      }
    },
    sign({ signingKey: key }, parts) {
      if (key === undefined) throw new StartError(NO_KEY)
      return sign(hash, Buffer.concat(parts.map((part) => Buffer.from(part))), { key, dsaEncoding })
    },
  }
}

function p256(): Pair {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

function rsa(): Pair {
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString()
}

function derOf(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' })
}

function textSecret(): string {
  return `whsec_${randomBytes(24).toString('base64url')}`
}

function hexSecret(): string {
  return randomBytes(32).toString('hex').toUpperCase()
}

function whsecSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`
}

/** The credentials of senders that a run knows. */
export interface Keyring {
  /** Every secret that it shares with senders, by the sender's name. */
  webhookSecrets(): ReadonlyMap<string, readonly SharedSecret[]>
  /** The kept private key of a sender in PEM, if it belongs to the key pair in use. */
  signingKey(name: string): string | undefined
}

/**
 * The credentials of a sender.
 * @throws StartError when this process cannot read them
 */
export function credentialsOf(name: string, run: Keyring): SenderCredentials {
  const secret = secretOf(name, run)
  if (secret !== undefined) return { secret, signingKey: run.signingKey(name) }
  throw new StartError(
    `No secret for ${name}: start the service first, or set WEBHOOK_SECRETS to what it was started with.`,
  )
}

/** Whether the run has everything to sign as a sender. */
export function canSignAs(name: string, run: Keyring): boolean {
  const { isPaired } = signerOf(providerOf(name).scheme.methods[0])
  return secretOf(name, run) !== undefined && (!isPaired || run.signingKey(name) !== undefined)
}

function secretOf(name: string, { webhookSecrets }: Keyring): string | undefined {
  return webhookSecrets().get(name)?.[0]?.value
}
