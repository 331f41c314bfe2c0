import type { Buffer } from 'node:buffer'
import type { Key, Method } from './schemes/methods.ts'
import type { Confirmed, Coverage, SenderClaim, SignatureScheme, SignedCall, SignedPart } from './schemes/scheme.ts'

declare const verified: unique symbol

/** The exact bytes of a body whose sender is verified. Only this file makes one, and the inbox accepts nothing else. */
export type VerifiedBody = Buffer & { readonly [verified]: true }

/** Why a call is refused: a bounded set, for the log and for `npx gatehouse explain`, never for the caller. */
export type RefusalReason =
  | 'no-secret'
  | 'unreadable-secret'
  | 'unknown-key'
  | 'no-readable-signature'
  | 'wrong-signature'
  | 'too-old'
  | 'in-the-future'

export interface Refused {
  readonly ok: false
  readonly refusal: 'signature' | 'timestamp'
  readonly reason: RefusalReason
  /**
   * How long ago the call was signed, or its proof ended, in whole seconds; 0 if its scheme signs no time or the age was
   * not checked.
   */
  readonly ageSeconds: number
}

/** What a verified call has proven. */
export interface Proven {
  readonly covers: Coverage
  /** As its claim says. */
  readonly headers?: SenderClaim['headers'] | undefined
  readonly fields?: SenderClaim['fields'] | undefined
  /** The label of the matching secret. */
  readonly key?: string | undefined
  readonly signedAt?: Date | undefined
  /** Older than the scheme allows, within the time in which its provider retries. */
  readonly stale?: true | undefined
  /** The signed content, in the one spelling for everything that the scheme regards as equal. */
  readonly signed: () => readonly SignedPart[]
}

export type VerifyResult =
  | {
      readonly ok: true
      readonly body: VerifiedBody
      readonly proven: Proven
    }
  | Refused

/** A shared secret or public key, and the period in which it is valid. */
export interface SharedSecret {
  readonly value: string
  /** The name of the source that has it of its own, where that is another one. */
  readonly owner?: string
  /** What names it in records: never the secret itself. */
  readonly label?: string
  readonly notBefore?: Date
  readonly notAfter?: Date
}

export interface VerifyOptions {
  readonly scheme: SignatureScheme
  readonly secrets: readonly SharedSecret[]
  readonly now: Date
  /** Replaces the scheme's own tolerance, in seconds. */
  readonly toleranceSeconds?: number | undefined
  /** How old a late retry may be, in seconds: for providers that are not known to renew the time. */
  readonly lateSeconds?: number | undefined
}

/**
 * Judges the signature first, then the timestamp, over the received bytes (webhooks-21). Without a
 * secret it reads nothing of the call. It tries every secret that is valid now and compares each in constant time.
 * @throws ServiceError `PAYLOAD_TOO_LARGE` for a body that is too large for its scheme to scan
 */
export function verify(call: SignedCall, options: VerifyOptions): VerifyResult {
  const { scheme, secrets, now } = options
  const current = goodSecrets(secrets, now)
  if (current.length === 0) return refused('signature', 'no-secret')
  const claim = scheme.read(call)
  if (!claim) return refused('signature', 'no-readable-signature')
  const claims = [claim, ...(claim.others ?? []).map((other) => ({ ...claim, ...other }))]
  const readable = current.flatMap((secret) =>
    claims.flatMap((one) => {
      const key = keyOf(secret, one.method)
      return key ? [{ ...key, label: secret.label, claim: one }] : []
    }),
  )
  if (readable.length === 0) return refused('signature', 'unreadable-secret')
  const fitting = firstFitting(readable)
  if (!fitting) return refused('signature', 'wrong-signature')
  const { key, confirmed } = fitting
  const timing = timingOf(confirmed, now, options)
  if ('refusal' in timing) return timing
  const { signedAt } = confirmed
  const proven: Proven = {
    covers: claim.covers ?? 'body',
    headers: claim.headers,
    fields: claim.fields,
    key: key.label,
    signedAt: signedAt === undefined ? undefined : new Date(signedAt),
    ...timing,
    signed: () => claim.signed(key.name),
  }
  return { ok: true, body: call.body as VerifiedBody, proven }
}

function firstFitting<K extends Key & { readonly claim: SenderClaim }>(keys: readonly K[]) {
  for (const key of keys) {
    const confirmed = isSignedBy(key, key.claim) ? confirmedBy(key, key.claim) : undefined
    const { further = [] } = confirmed ?? {}
    if (confirmed && further.every((signature) => isHeldByOne(keys, signature))) return { key, confirmed }
  }
  return undefined
}

function isHeldByOne(keys: readonly (Key & { readonly claim: SenderClaim })[], signature: Buffer): boolean {
  return keys.some((key) => key.claim.method.holds(key, [signature], key.claim.signed(key.name)))
}

function confirmedBy({ name }: Key, claim: SenderClaim): Confirmed | undefined {
  return claim.confirm ? claim.confirm(name) : { signedAt: claim.signedAt }
}

function timingOf(
  { signedAt, validity }: Confirmed,
  now: Date,
  options: VerifyOptions,
): Refused | Pick<Proven, 'stale'> {
  const { scheme, toleranceSeconds = scheme.toleranceSeconds, lateSeconds = 0 } = options
  const fromBegin = ageOf(validity?.from ?? signedAt, now)
  const fromEnd = ageOf(validity?.until ?? signedAt, now)
  if (-fromBegin > toleranceSeconds) return refused('timestamp', 'in-the-future', fromBegin)
  if (fromEnd <= toleranceSeconds) return {}
  return fromEnd <= lateSeconds ? { stale: true } : refused('timestamp', 'too-old', fromEnd)
}

function isSignedBy(key: Key, { method, signatures, signed, alsoSigned }: SenderClaim): boolean {
  if (method.holds(key, signatures, signed(key.name))) return true
  return alsoSigned?.().some((parts) => method.holds(key, signatures, parts)) ?? false
}

/** For calls that the configuration lets pass without proof: payments and local runs (webhooks-18, webhooks-24). */
export function trustStored(body: Buffer): VerifiedBody {
  return body as VerifiedBody
}

/** In seconds; of a call without a time 0. */
function ageOf(time: number | undefined, now: Date): number {
  return time === undefined ? 0 : Math.floor(now.getTime() / 1000) - Math.floor(time / 1000)
}

/** The secrets that are valid at that time. */
export function goodSecrets(secrets: readonly SharedSecret[], now: Date): readonly SharedSecret[] {
  return secrets.filter(
    ({ notBefore, notAfter }) =>
      (notBefore === undefined || notBefore <= now) && (notAfter === undefined || now <= notAfter),
  )
}

/** Parsed keys: parsing a key costs more than using it, and the configured secrets live as long as the process. */
const known = new WeakMap<SharedSecret, Map<Method, Key | undefined>>()

function keyOf(secret: SharedSecret, method: Method): Key | undefined {
  const keys = known.get(secret) ?? new Map<Method, Key | undefined>()
  if (keys.has(method)) return keys.get(method)
  const key = method.readKey(secret.value)
  known.set(secret, keys.set(method, key))
  return key
}

function refused(refusal: Refused['refusal'], reason: RefusalReason, ageSeconds = 0): Refused {
  return { ok: false, refusal, reason, ageSeconds }
}
