import type { Buffer } from 'node:buffer'
import type { Find, IdPlace } from './find.ts'
import type { SignatureScheme } from './schemes/scheme.ts'
import type { EventSource } from './source.ts'

/** The answer to a call that only asks whether the address is ours; without a body it is 204. */
export interface Handshake {
  readonly body?: object
}

/** How a provider asks by GET whether an address is ours. */
export interface Challenge {
  /** The parameter that it wants to have back. */
  readonly parameter: string
  /** What the query says besides, word for word. */
  readonly query: Readonly<Record<string, string>>
  /** How a caller proves the secret `<provider>.verify`; without it anybody may ask, if the provider has a secret. */
  readonly scheme?: SignatureScheme
}

interface Calls {
  readonly scheme: SignatureScheme
  /** The headers that tell something of the event, in lower case; never credentials or signatures. */
  readonly keptHeaders?: readonly string[]
  /**
   * Answers a signed payload that only asks whether the address is ours; undefined for an event.
   * @param hmac the hexadecimal HMAC-SHA256 of a text, under the secret that the call proves
   */
  readonly handshake?: (payload: unknown, hmac: (text: string) => string) => Handshake | undefined
  /** The body of an unsigned call that only asks whether anybody answers; it changes nothing. */
  readonly ping?: RegExp
  readonly challenge?: Challenge
  /** What it wants to read instead of `Webhook received`. */
  readonly acknowledgement?: string
}

/** Its events are stored, and do nothing else. */
export interface StoringProvider extends Calls {
  /** The first that is there counts; without one the bytes themselves identify the event. */
  readonly ids: readonly IdPlace[]
  readonly type?: Find
  /** Undefined for JSON. */
  readonly parse?: (body: Buffer) => unknown
}

/** Its events have handlers. */
export interface HandlingProvider extends Calls {
  readonly read: EventSource['read']
}

/** How one provider signs, names its events and wants to be answered. */
export type Provider = StoringProvider | HandlingProvider
