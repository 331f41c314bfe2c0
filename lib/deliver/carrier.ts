import { ServiceError } from '../errors.ts'
import { type AsciiJson, asciiJson } from '../runtime/message-text.ts'
import { fromUtf8 } from '../runtime/text.ts'
import { shownProof } from '../webhooks/detail.ts'
import type { KeptAnswer } from './answer.ts'
import type { DeliveredEvent } from './delivery.ts'

/** The result of one try. */
export type DeliveryAnswer =
  | {
      readonly kind: 'delivered'
      readonly answer: string
      readonly received?: KeptAnswer
      /** Why it may have had no effect. */
      readonly reason?: string
      /** Its body has no value at the path of its message group: it went in the group of its source. */
      readonly isUngrouped?: boolean
    }
  | {
      readonly kind: 'failed'
      /** The status or the class of the error, at most 256 characters; nothing that the destination sent. */
      readonly answer: string
      readonly received?: KeptAnswer
      /** 410: the destination accepts no further events. */
      readonly isGone?: true
      /** The pause in Retry-After, in milliseconds. */
      readonly retryAfter?: number
      /** 429 or 503: Retry-After is for the whole destination. */
      readonly isBusy?: true
      /** The service refuses this message for good: every other try would fail alike. */
      readonly isRefused?: true
    }

/** One try on its way. */
export interface Parcel {
  readonly event: DeliveredEvent
  /** 1 for the first try. */
  readonly attempt: number
  readonly replayId?: string | undefined
  /** Of one that an operator ordered: when an earlier try ended that may have arrived. */
  readonly sentAt?: Date | undefined
  /** The value of the header `traceparent` of this try (W3C Trace Context, section 3.2). */
  readonly traceparent: string
  /** When the try begins, for the signature. */
  readonly at: Date
}

/** Why a try ended before anything was sent; the message is for operators. */
export class NotSent extends Error {
  override readonly name: string = 'NotSent'
}

/** Carries events to one destination. */
export interface Carrier {
  /**
   * Ends within the destination's timeout.
   * @throws ServiceError `UNAVAILABLE` if this service failed: the try does not count
   */
  carry(parcel: Parcel): Promise<DeliveryAnswer>
}

/**
 * The most bytes of an envelope. SQS Developer Guide, "Message quotas": 1 MiB for body and attributes; there are none of
 * those. EventBridge User Guide, "Calculating PutEvents event entry size": less than 256 KB. The API Reference, PutEvents,
 * also counts what makes it an event (version, id, account, region and the names of all members); 1 KB is left for that.
 */
export const ENVELOPE_BYTES = { sqs: 1_048_576, eventbridge: 262_144 - 1024 } as const

/**
 * The JSON that queues and buses receive for an event, with the body as text, or in base64 if it is not UTF-8. If that
 * is more than `limit` bytes, a claim check replaces the body: where to read it, and its length.
 */
export function deliveryEnvelope({ event, attempt, replayId, traceparent }: Parcel, limit: number): AsciiJson {
  const { id, source, eventId, eventType: type, receivedAt, payload, proof } = event
  const head = {
    id: `${id}`,
    source,
    eventId,
    type,
    receivedAt: receivedAt.toISOString(),
    attempt,
    replayId,
    traceparent,
    proof: shownProof(proof),
    possibleDuplicateOf: event.possibleDuplicateOf,
    typeConflict: event.typeConflict,
    repeatsUntil: event.repeatsUntil?.toISOString(),
  }
  // JSON is never shorter than what it holds.
  const whole = payload.length <= limit ? asciiJson({ ...head, ...bodyIn(payload) }) : undefined
  if (whole !== undefined && whole.length <= limit) return whole
  return asciiJson({ ...head, gatehouse: { ref: `${source}/${eventId}`, bytes: payload.length } })
}

function bodyIn(payload: DeliveredEvent['payload']) {
  const text = fromUtf8(payload)
  return text === undefined ? { bodyBase64: payload.toString('base64') } : { body: text }
}

/** The texts for errors, by their codes; the first row that matches counts. */
const CLASSES: readonly (readonly [codes: RegExp, text: string])[] = [
  [/^(?:ETIMEDOUT|ABORT_ERR)$/, 'timed out'],
  [/^ECONNREFUSED$/, 'connection refused'],
  [/^(?:ECONNRESET|EPIPE|ECONNABORTED)$/, 'connection reset'],
  [/^(?:ENOTFOUND|ENODATA|EAI_\w+)$/, 'name not found'],
  [/^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'address not reachable'],
]

/** Node.js documentation, TLS, "X509 certificate error codes", and a host name that does not match. */
const CERTIFICATE = /CERT|CRL|^UNABLE_TO_|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$|^HOSTNAME_MISMATCH$/

/**
 * A try without an answer: the class of the error. Its message is left out, because it may contain received data.
 * @throws ServiceError a failure of this service itself
 */
export function failureOf(error: unknown): Extract<DeliveryAnswer, { readonly kind: 'failed' }> {
  if (error instanceof ServiceError) throw error
  if (error instanceof NotSent) return { kind: 'failed', answer: error.message }
  const code = codeOf(error)
  // TLS 1.3 tells a client only after the handshake that its certificate is missing, or refused (RFC 8446, section 6.2).
  if (/^ERR_SSL_\w*ALERT_/.test(code)) return { kind: 'failed', answer: `refused in the TLS handshake: ${code}` }
  const known = CLASSES.find(([codes]) => codes.test(code))?.[1]
  const text = CERTIFICATE.test(code) ? `certificate is not valid: ${code}` : `connection failed: ${code}`
  return { kind: 'failed', answer: known ?? text }
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : 'for an unknown reason'
}
