import type { Buffer } from 'node:buffer'
import { X509Certificate } from 'node:crypto'
import type { SignedCall } from './scheme.ts'

/**
 * A request for a key: https, to a host that is written in the code, or to an address that a call names and that was
 * compared with an allow-list before.
 */
export interface KeyRequest {
  readonly url: string
  /** JSON to post; without it the request is a GET. */
  readonly body?: string
}

/** What a server answered; never a redirect. */
export interface KeyAnswer {
  readonly status: number
  readonly body: Buffer
}

/** A key, and the time in which its provider says that it is valid. */
export interface PublishedKey {
  readonly text: string
  readonly notBefore?: Date
  readonly notAfter?: Date
}

/** The key that a call asks for, and where it is. */
export interface WantedKey {
  /** The name of what is fetched, for the cache alone: calls that want the same share it. */
  readonly document: string
  /** The name of the key in the document. */
  readonly id: string
  readonly request: KeyRequest
  /**
   * The keys of the document by their ids; none if the server says that it has no such document.
   * @throws Error for any other answer
   */
  readonly keysIn: (answer: KeyAnswer) => ReadonlyMap<string, PublishedKey>
  /** The secret with such a key in it, as a method reads it. */
  readonly secretWith: (key: string) => string
}

/** How the keys of a provider are found that replaces them by itself. */
export interface Rotation {
  /** Whether a configured secret names the keys, instead of holding one. */
  readonly isName: (secret: string) => boolean
  /** Undefined if the call names no key that may be fetched for that secret. */
  readonly keyOf: (call: SignedCall, secret: string) => WantedKey | undefined
}

/** What a server answered with 200. @throws Error for any other status, without the answer */
export function bodyOf({ status, body }: KeyAnswer): Buffer {
  if (status === 200) return body
  throw new Error(`the key server answered ${status}`)
}

/** What a store of files answers for one that it does not have. */
const MISSING: readonly number[] = [403, 404]

/**
 * The certificate in an answer, in PEM; undefined if the server has none, or one for another name. Its issuer is not
 * checked: the connection proves that the provider published it.
 * @param names common names that its subject may have; any if absent
 * @throws Error for any other answer
 */
export function certificateIn(answer: KeyAnswer, names?: readonly string[]): PublishedKey | undefined {
  if (MISSING.includes(answer.status)) return undefined
  const certificate = new X509Certificate(bodyOf(answer))
  const subject = certificate.subject.split('\n')
  if (names && !names.some((name) => subject.includes(`CN=${name}`))) return undefined
  return {
    text: certificate.toString(),
    notBefore: certificate.validFromDate,
    notAfter: certificate.validToDate,
  }
}
