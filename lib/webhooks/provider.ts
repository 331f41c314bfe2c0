import type { Buffer } from 'node:buffer'
import type { Kind } from './identity.ts'
import type { KeyRequest } from './schemes/rotation.ts'
import type { SignatureScheme } from './schemes/scheme.ts'
import type { TokenPlace } from './setup.ts'
import type { EventSource } from './source.ts'

/** The answer to a handshake: JSON or plain text; without either it is 204. */
export type Handshake = { readonly body?: object } | { readonly text: string }

/** How a provider checks with a GET that an address is ours. */
export interface Challenge {
  /** The query parameter that the provider expects back. */
  readonly parameter: string
  /** The other parameters of the query, verbatim. */
  readonly query: Readonly<Record<string, string>>
  /**
   * How a caller proves the secret `<provider>.verify`. Without a scheme any caller may ask, if the provider has a
   * secret.
   */
  readonly scheme?: SignatureScheme
}

/** What is known of how a provider repeats an event that was not acknowledged. */
export interface RetryHabits {
  /** How long it continues, in seconds. */
  readonly horizonSeconds: number
  /** Set if each try is signed with its own time; otherwise a late try has the time of the first. */
  readonly renewsTime?: true
}

const HOURS = 3600

/** For a provider that does not document how long it retries. */
export const UNKNOWN_RETRIES: RetryHabits = { horizonSeconds: 72 * HOURS }

/** A provider that signs no time, or one for each try, and retries for so many hours. */
export function retriesFor(hours: number, renewsTime?: true): RetryHabits {
  return { horizonSeconds: hours * HOURS, ...(renewsTime && { renewsTime }) }
}

/** For senders of our own payloads (webhooks-29), whose calls have a strict window: a day is assumed. */
export const OWN_RETRIES = retriesFor(24, true)

interface Calls {
  readonly scheme: SignatureScheme
  readonly retries: RetryHabits
  /** Headers that describe the event, in lower case; never credentials or signatures. */
  readonly keptHeaders?: readonly string[]
  /**
   * Answers a signed payload that is a handshake; undefined for an event.
   * @param hmac the hexadecimal HMAC-SHA256 of a text, under the secret that the call proves
   */
  readonly handshake?: (payload: unknown, hmac: (text: string) => string) => Handshake | undefined
  /** Matches the body of an unsigned ping, which only checks that the address answers; a ping changes nothing. */
  readonly ping?: RegExp
  readonly challenge?: Challenge
  /** What the provider expects in place of `Webhook received`: another text, or JSON. */
  readonly acknowledgement?: string | object
  /** The query parameter that the provider expects back in the answer to an unsigned POST without a body. */
  readonly echo?: string
  /** Where the first call, which is not signed, has the token that the owner of the address needs (webhooks-9). */
  readonly setup?: readonly TokenPlace[]
  /** The request that a signed payload asks for, in place of being an event; undefined for an event. */
  readonly confirmation?: (payload: unknown) => KeyRequest | undefined
}

/** A provider whose events are only stored. */
export interface StoringProvider extends Calls, Omit<Kind, 'retries'> {
  /**
   * Undefined if the body is JSON.
   * @throws ServiceError `VALIDATION_FAILED` for a body that it cannot read
   */
  readonly parse?: (body: Buffer) => unknown
}

/** A provider whose events have handlers. */
export interface HandlingProvider extends Calls {
  readonly read: EventSource['read']
}

/** How one provider signs, identifies its events and expects answers. */
export type Provider = StoringProvider | HandlingProvider
