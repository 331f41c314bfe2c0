import type { Buffer } from 'node:buffer'
import type { Method } from './methods.ts'

export type Headers = Readonly<Record<string, string | undefined>>

/** A webhook call as it came: header names in lower case, the address as the provider knows it, the bytes untouched. */
export interface SignedCall {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: Buffer
}

/** A piece of what is signed; texts stand for their UTF-8 bytes. */
export type SignedPart = string | Buffer

/** What the sender claims: one or more signatures (the secret may be in rotation) and, with some schemes, a time. */
export interface Proof {
  readonly method: Method
  readonly signatures: readonly Buffer[]
  /** What is signed; some providers sign the name of the key with it. */
  readonly signed: (keyName: string) => readonly SignedPart[]
  /** Milliseconds since the epoch. */
  readonly signedAt?: number | undefined
  /**
   * Reads what has to be parsed, which waits until the signature holds: the time, where it stands in what is signed, and
   * whether the body says what was signed. Undefined when it does not.
   */
  readonly confirm?: () => Pick<Proof, 'signedAt'> | undefined
}

/**
 * The limit in bytes of a body whose bytes are not signed as they are: it has to be searched before its signature is
 * known to hold, and anyone who saw one call can send another body under its signature.
 */
export const UNSIGNED_BODY_BYTES = 262_144

type Refusal = 'SIGNATURE_REJECTED' | 'SIGNATURE_INVALID' | 'TIMESTAMP_OUTSIDE_WINDOW'

/** How one provider signs: everything that differs between providers is in its row. */
export interface SignatureScheme {
  /** The header without which a call counts as unsigned; schemes that sign inside the body have none. */
  readonly header?: string
  /** Every method that the scheme may use; a secret has to be readable for one of them. */
  readonly methods: readonly [Method, ...Method[]]
  /**
   * Undefined when the call carries no readable proof. It parses nothing of the body but a form.
   * @throws ServiceError `PAYLOAD_TOO_LARGE` beyond {@link UNSIGNED_BODY_BYTES}
   */
  readonly read: (call: SignedCall) => Proof | undefined
  /** Allowed distance of the timestamp from now, in both directions, in seconds. */
  readonly toleranceSeconds: number
  /** How this provider wants to be refused. */
  readonly refusals: Readonly<Record<'signature' | 'timestamp', Refusal>>
}

/** Whether a call lacks the header without which it counts as unsigned. */
export function isUnsigned({ header }: SignatureScheme, headers: Headers): boolean {
  return header !== undefined && headers[header] === undefined
}

/** The decisions' answers for every scheme that says nothing else. */
export const REFUSALS = { signature: 'SIGNATURE_INVALID', timestamp: 'TIMESTAMP_OUTSIDE_WINDOW' } as const

/** The scheme signs no time, or its provider sends again for as long as it likes: the event's id stands against replays. */
export const OF_ANY_AGE = { toleranceSeconds: Number.POSITIVE_INFINITY, refusals: REFUSALS } as const
