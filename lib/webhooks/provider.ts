import type { Buffer } from 'node:buffer'
import type { Find, IdPlace } from './find.ts'
import type { SignatureScheme } from './schemes/scheme.ts'
import type { EventSource } from './source.ts'

/** The answer to a handshake; without a body it is 204. */
export interface Handshake {
  readonly body?: object
}

/** How a provider checks with a GET that an address is ours. */
export interface Challenge {
  /** The query parameter that the provider wants echoed. */
  readonly parameter: string
  /** The other parameters of the query, verbatim. */
  readonly query: Readonly<Record<string, string>>
  /**
   * How a caller proves the secret `<provider>.verify`. Without a scheme any caller may ask, if the provider has a
   * secret.
   */
  readonly scheme?: SignatureScheme
}

interface Calls {
  readonly scheme: SignatureScheme
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
  /** The body that the provider expects in place of `Webhook received`. */
  readonly acknowledgement?: string
}

/** A provider whose events are only stored. */
export interface StoringProvider extends Calls {
  /** The first id that a call has counts; without one the body's bytes identify the event. */
  readonly ids: readonly IdPlace[]
  readonly type?: Find
  /** Undefined if the body is JSON. */
  readonly parse?: (body: Buffer) => unknown
}

/** A provider whose events have handlers. */
export interface HandlingProvider extends Calls {
  readonly read: EventSource['read']
}

/** How one provider signs, identifies its events and expects answers. */
export type Provider = StoringProvider | HandlingProvider
