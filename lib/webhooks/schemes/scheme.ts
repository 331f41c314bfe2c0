import type { Buffer } from 'node:buffer'
import { fail } from '../../errors.ts'
import type { Method } from './methods.ts'
import type { Rotation } from './rotation.ts'

export type Headers = Readonly<Record<string, string | undefined>>

/**
 * A webhook call as received: header names in lower case, the address as the provider knows it, the bytes unchanged.
 */
export interface SignedCall {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: Buffer
  /** Of a body whose bytes are not signed, in place of {@link UNSIGNED_BODY_BYTES}. */
  readonly maxBodyBytes?: number | undefined
}

/** A part of the signed content; texts stand for their UTF-8 bytes. */
export type SignedPart = string | Buffer

/** The sender's claim: one or more signatures (the secret may be in rotation) and, in some schemes, a time. */
export interface SenderClaim {
  readonly method: Method
  readonly signatures: readonly Buffer[]
  /** Signatures of the same content by other methods; a method that cannot read a secret is skipped for it. */
  readonly others?: readonly Pick<SenderClaim, 'method' | 'signatures'>[]
  /** The signed content; some providers include the name of the key. */
  readonly signed: (keyName: string) => readonly SignedPart[]
  /** Other spellings of the signed content that this provider's own verifier takes, too. */
  readonly alsoSigned?: () => readonly (readonly SignedPart[])[]
  /** Milliseconds since the epoch. */
  readonly signedAt?: number | undefined
  /**
   * Parses what may be parsed only after the signature holds: the time, if it is inside the signed content, and whether
   * the body, and the name of the key, agree with the signed content. Undefined if they do not.
   */
  readonly confirm?: (keyName: string) => Confirmed | undefined
  /** What the signed content says of the body: absent if it contains its bytes, or a hash of them. */
  readonly covers?: Exclude<Coverage, 'body'>
  /** The headers in the signed content that may name the event, in lower case. */
  readonly headers?: readonly string[]
  /** The signed fields of a body of which only fields are signed; all of them if absent. */
  readonly fields?: readonly (readonly string[])[]
}

/** The times of a claim whose signature holds, in milliseconds since the epoch. */
export interface Confirmed {
  readonly signedAt?: number | undefined
  /** The time span in which the proof is valid, if the sender gives it in place of the time of sending. */
  readonly validity?: { readonly from: number; readonly until: number }
  /** Further signatures of the same method, each of which one of the secrets has to prove, too. */
  readonly further?: readonly Buffer[]
}

/** What a signature covers of a body: its bytes, some of its fields, a weak checksum of it, or nothing. */
export type Coverage = 'body' | 'fields' | 'checksum' | 'nothing'

/**
 * Maximum size in bytes of a body whose bytes are not signed themselves. The scheme must scan it before the signature
 * is verified, and anyone who saw one call can send another body under its signature.
 */
export const UNSIGNED_BODY_BYTES = 262_144

/** @throws ServiceError `PAYLOAD_TOO_LARGE` for a body that is too large to be unsigned */
export function demandFewBytes({ body, maxBodyBytes = UNSIGNED_BODY_BYTES }: SignedCall): void {
  if (body.length > maxBodyBytes) throw fail('PAYLOAD_TOO_LARGE')
}

type Refusal = 'SIGNATURE_REJECTED' | 'SIGNATURE_INVALID' | 'SIGNATURE_INVALID_BARE' | 'TIMESTAMP_OUTSIDE_WINDOW'

/** How one provider signs: its row holds everything that differs between providers. */
export interface SignatureScheme {
  /** The header without which a call counts as unsigned; absent in schemes that sign inside the body. */
  readonly header?: string
  /** Every method that the scheme may use; at least one of them must be able to read the secret. */
  readonly methods: readonly [Method, ...Method[]]
  /**
   * Reads the claim; undefined if the call has no readable one. Of a body, it parses only a form.
   * @throws ServiceError `PAYLOAD_TOO_LARGE` as {@link demandFewBytes}
   */
  readonly read: (call: SignedCall) => SenderClaim | undefined
  /** Set if the proof, or the time of it, is found by reading the body: a body under a content coding is refused. */
  readonly readsBody?: boolean
  /** Set if the provider replaces its keys by itself. */
  readonly rotation?: Rotation
  /** Maximum distance of the timestamp from now, in both directions, in seconds. */
  readonly toleranceSeconds: number
  /** The refusals that this provider expects. */
  readonly refusals: Readonly<Record<'signature' | 'timestamp', Refusal>>
}

/** Whether a call lacks the header without which it counts as unsigned. */
export function isUnsigned({ header }: SignatureScheme, headers: Headers): boolean {
  return header !== undefined && headers[header] === undefined
}

/** The refusals of schemes without their own (webhooks-21). */
export const REFUSALS = { signature: 'SIGNATURE_INVALID', timestamp: 'TIMESTAMP_OUTSIDE_WINDOW' } as const

/**
 * For a scheme without a signed time, or a provider that retries indefinitely: the event's id protects against replays.
 */
export const OF_ANY_AGE = { toleranceSeconds: Number.POSITIVE_INFINITY, refusals: REFUSALS } as const

/**
 * Path and query of RFC 3986. Where no separator stands between address and body, the brace or bracket that begins a
 * JSON body cannot pass for a part of the address.
 */
const ADDRESS = /^https?:\/\/[^/]+(?:\/[\w\-.~!$&'()*+,;=:@%/?]*)?$/

/** Whether a text can be signed as the address of a call. */
export function isAddress(url: string): boolean {
  return ADDRESS.test(url)
}
