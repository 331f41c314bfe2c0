import { Buffer } from 'node:buffer'

type Headers = Readonly<Record<string, string>>

/** A message without its proof. Header names are in lower case. */
export interface SampleMessage {
  readonly headers: Headers
  readonly body: Buffer
  /** Behind the address, without the question mark. */
  readonly query?: string | undefined
}

/** The proof, in the encodings that providers use. */
export interface ProofTexts {
  readonly hex: string
  readonly base64: string
  readonly base64url: string
  readonly text: string
  /** The time of the signature: in seconds since the epoch, and in RFC 3339. */
  readonly seconds: string
  readonly milliseconds: string
  readonly instant: string
}

/** The occasion of one event. */
export interface Occasion {
  /** A UUID. */
  readonly id: string
  readonly at: Date
}

/** A JSON body, and the headers in addition to the content type. */
interface Draft {
  readonly headers?: Headers
  readonly body: unknown
  readonly query?: string
}

/** Sample webhooks of one provider, for tools that send them to a local run. No function has them in its bundle. */
export interface Sample {
  /** The events that it can send, the default first; any other name is sent as the event's type. */
  readonly events: readonly [string, ...string[]]
  readonly draft: (event: string, occasion: Occasion) => Draft
  /** Set if the body is a form. */
  readonly isForm?: true
  /** The name of the key that it signs with, where a call names its key. */
  readonly keyName?: string
  /** Adds the proof at the provider's place for it. Equal arguments give equal results. */
  readonly prove: (proof: ProofTexts, message: SampleMessage) => Partial<SampleMessage>
  /** The path of a transaction's name, which no two orders can share, and the events that contain one. */
  readonly transaction?: { readonly path: string; readonly events: readonly string[] }
}

/**
 * Sample webhooks of a provider, with its row in `docs/webhooks.md`, in Markdown. If the provider signs a time, the row
 * says how many seconds old it may be.
 */
export interface ProviderSample extends Sample {
  readonly described: Readonly<Record<'header' | 'secret' | 'signed', string>> & {
    /** Where the id is not signed: why equal content under another one is held or new, with the source. */
    readonly alike?: string
  }
}

/** The JSON of a body after a change of its values. */
export function rewritten(body: Buffer, change: (values: Record<string, unknown>) => unknown): Buffer {
  return Buffer.from(JSON.stringify(change(JSON.parse(body.toString()))))
}

/** A number for a sender whose ids are numbers: the same for the same id, with at most twelve digits. */
export function numberFrom(id: string): number {
  return [...id].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 999_999_999_989, 7)
}

/** The sender's time in seconds, without milliseconds. */
export function secondsOf(at: Date): number {
  return Math.floor(at.getTime() / 1000)
}

/** The body of the usual event of a provider, for descriptions. */
export function exampleOf({ events: [event], draft }: Sample): unknown {
  return draft(event, { id: '0199a1c2-7b3c-7c1e-9f5a-3a5f0c7d2e11', at: new Date('2026-11-21T07:00:00Z') }).body
}
