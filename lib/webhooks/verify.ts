import type { Buffer } from 'node:buffer'
import type { Key, Method } from './schemes/methods.ts'
import type { Proof, SignatureScheme, SignedCall, SignedPart } from './schemes/scheme.ts'

declare const verified: unique symbol

/** The exact bytes of a body whose sender is verified. Only this file makes one, and the inbox accepts nothing else. */
export type VerifiedBody = Buffer & { readonly [verified]: true }

/** Why a call is refused: a bounded set, for the log and for `npm run explain`, never for the caller. */
export type RefusalReason =
  | 'no-secret'
  | 'unreadable-secret'
  | 'no-readable-signature'
  | 'wrong-signature'
  | 'too-old'
  | 'in-the-future'

export interface Refused {
  readonly ok: false
  readonly refusal: 'signature' | 'timestamp'
  readonly reason: RefusalReason
  /** How long ago the call was signed, in whole seconds; 0 if its scheme signs no time or the age was not checked. */
  readonly ageSeconds: number
}

export type VerifyResult =
  | {
      readonly ok: true
      readonly body: VerifiedBody
      /** The signed content. */
      readonly signed: () => readonly SignedPart[]
    }
  | Refused

/** A shared secret or public key, and the period in which it is valid. */
export interface SharedSecret {
  readonly value: string
  readonly notBefore?: Date
  readonly notAfter?: Date
}

export interface VerifyOptions {
  readonly scheme: SignatureScheme
  readonly secrets: readonly SharedSecret[]
  readonly now: Date
  /** Replaces the scheme's own tolerance, in seconds. */
  readonly toleranceSeconds?: number | undefined
}

/**
 * Judges the signature first, then the timestamp, over the received bytes (spec part 5, webhook rules). Without a
 * secret it reads nothing of the call. It tries every secret that is valid now and compares each in constant time.
 * @throws ServiceError `PAYLOAD_TOO_LARGE` for a body that is too large for its scheme to scan
 */
export function verify(call: SignedCall, { scheme, secrets, now, toleranceSeconds }: VerifyOptions): VerifyResult {
  const current = goodSecrets(secrets, now)
  if (current.length === 0) return refused('signature', 'no-secret')
  const proof = scheme.read(call)
  if (!proof) return refused('signature', 'no-readable-signature')
  const keys = current.map((secret) => keyOf(secret, proof.method)).filter((key) => key !== undefined)
  if (keys.length === 0) return refused('signature', 'unreadable-secret')
  const key = keys.find((one) => proof.method.holds(one, proof.signatures, proof.signed(one.name)))
  if (!key) return refused('signature', 'wrong-signature')
  const confirmed = proof.confirm ? proof.confirm() : proof
  if (!confirmed) return refused('signature', 'wrong-signature')
  const ageSeconds = ageOf(confirmed, now)
  const tolerance = toleranceSeconds ?? scheme.toleranceSeconds
  if (ageSeconds > tolerance) return refused('timestamp', 'too-old', ageSeconds)
  if (-ageSeconds > tolerance) return refused('timestamp', 'in-the-future', ageSeconds)
  return { ok: true, body: call.body as VerifiedBody, signed: () => proof.signed(key.name) }
}

/** For calls that the configuration lets pass without proof: spec 5.7 for `/webhooks/payment`, and local runs. */
export function trustStored(body: Buffer): VerifiedBody {
  return body as VerifiedBody
}

function ageOf({ signedAt }: Pick<Proof, 'signedAt'>, now: Date): number {
  return signedAt === undefined ? 0 : Math.floor(now.getTime() / 1000) - Math.floor(signedAt / 1000)
}

/** The secrets that are valid at that time. */
export function goodSecrets(secrets: readonly SharedSecret[], now: Date): readonly SharedSecret[] {
  return secrets.filter(
    ({ notBefore, notAfter }) =>
      (notBefore === undefined || notBefore <= now) && (notAfter === undefined || now <= notAfter),
  )
}

/** Parsed keys: parsing a key costs more than using it, and the configured secrets live as long as the process. */
const known = new WeakMap<SharedSecret, { readonly method: Method; readonly key: Key | undefined }>()

function keyOf(secret: SharedSecret, method: Method): Key | undefined {
  const before = known.get(secret)
  if (before?.method === method) return before.key
  const key = method.readKey(secret.value)
  known.set(secret, { method, key })
  return key
}

function refused(refusal: Refused['refusal'], reason: RefusalReason, ageSeconds = 0): Refused {
  return { ok: false, refusal, reason, ageSeconds }
}
