import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Headers, Proof, SignatureScheme } from './schemes.ts'

declare const verified: unique symbol

/** The exact bytes of a body whose sender is known; only this file makes one, and the inbox takes nothing else. */
export type VerifiedBody = Buffer & { readonly [verified]: true }

/** Why a call is refused: bounded, for the log alone. */
export type RefusalReason = 'no-readable-signature' | 'no-secret' | 'wrong-signature' | 'too-old' | 'in-the-future'

export type Verdict =
  | { readonly ok: true; readonly body: VerifiedBody }
  | { readonly ok: false; readonly refusal: 'signature' | 'timestamp'; readonly reason: RefusalReason }

/** A shared secret and the time in which it is good. */
export interface SharedSecret {
  readonly value: string
  readonly notBefore?: Date
  readonly notAfter?: Date
}

export interface SignedCall {
  readonly headers: Headers
  readonly body: Buffer
}

export interface VerifyOptions {
  readonly scheme: SignatureScheme
  readonly secrets: readonly SharedSecret[]
  readonly now: Date
  /** Replaces the scheme's own tolerance, in seconds. */
  readonly toleranceSeconds?: number | undefined
}

/**
 * Judges the signature first, then the timestamp, over the bytes as they came (spec part 5, webhook rules).
 * Every secret that is good now is tried, each compared in constant time.
 */
export function verify(
  { headers, body }: SignedCall,
  { scheme, secrets, now, toleranceSeconds }: VerifyOptions,
): Verdict {
  const proof = scheme.read(headers)
  if (!proof) return refused('signature', 'no-readable-signature')
  const current = secrets.filter(({ notBefore, notAfter }) => (notBefore ?? now) <= now && now <= (notAfter ?? now))
  if (current.length === 0) return refused('signature', 'no-secret')
  if (!current.some(({ value }) => isSignedWith(value, proof, body, scheme))) {
    return refused('signature', 'wrong-signature')
  }
  const ageSeconds = proof.timestamp === undefined ? 0 : Math.floor(now.getTime() / 1000) - Number(proof.timestamp)
  const tolerance = toleranceSeconds ?? scheme.toleranceSeconds
  if (ageSeconds > tolerance) return refused('timestamp', 'too-old')
  if (-ageSeconds > tolerance) return refused('timestamp', 'in-the-future')
  return { ok: true, body: body as VerifiedBody }
}

/** Where the configuration lets a call pass without proof: spec 5.7 for `/webhooks/payment`, and local runs. */
export function acceptUnverified(body: Buffer): VerifiedBody {
  return body as VerifiedBody
}

/** The signatures that a scheme's sender makes over a body, in lowercase hexadecimal. */
export function signatureOf(
  secret: string,
  proof: Pick<Proof, 'timestamp'>,
  body: Buffer,
  scheme: SignatureScheme,
): string {
  return createHmac('sha256', secret)
    .update(scheme.prefix({ signatures: [], ...proof }))
    .update(body)
    .digest('hex')
}

function isSignedWith(secret: string, proof: Proof, body: Buffer, scheme: SignatureScheme): boolean {
  const expected = Buffer.from(signatureOf(secret, proof, body, scheme), 'hex')
  return proof.signatures.some((signature) => isEqual(Buffer.from(signature, 'hex'), expected))
}

function isEqual(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function refused(refusal: 'signature' | 'timestamp', reason: RefusalReason): Verdict {
  return { ok: false, refusal, reason }
}
