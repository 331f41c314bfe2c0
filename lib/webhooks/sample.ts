import { Buffer } from 'node:buffer'

type Headers = Readonly<Record<string, string>>

/** What is sent, but for what proves it. Header names are in lower case. */
export interface SampleMessage {
  readonly headers: Headers
  readonly body: Buffer
}

/** The proof in the spellings that providers use. */
export interface ProofTexts {
  readonly hex: string
  readonly base64: string
  readonly base64url: string
  readonly text: string
  /** When it was signed: since the epoch, and as RFC 3339 writes it. */
  readonly seconds: string
  readonly milliseconds: string
  readonly instant: string
}

/** One event. */
export interface Occasion {
  /** A UUID. */
  readonly id: string
  readonly at: Date
}

/** A body of JSON, and headers beside the type of the content. */
interface Draft {
  readonly headers?: Headers
  readonly body: unknown
}

/** How the webhooks of one provider look, for those who send them to a local run. No function has it in its bundle. */
export interface Sample {
  /** What it can send, the first if nothing is asked for; any other name is sent too, as the event's type. */
  readonly events: readonly [string, ...string[]]
  readonly draft: (event: string, occasion: Occasion) => Draft
  /** The body is the fields of a form. */
  readonly isForm?: true
  /** Where the proof stands. Equal arguments give equal results. */
  readonly prove: (proof: ProofTexts, message: SampleMessage) => Partial<SampleMessage>
  /** The name of a transaction that no two orders can share, and the events that are about one. */
  readonly transaction?: { readonly path: string; readonly events: readonly string[] }
}

/** Of a provider: its row in `docs/webhooks.md` too, in Markdown. A time that is signed says how many seconds old it may be. */
export interface ProviderSample extends Sample {
  readonly described: Readonly<Record<'header' | 'secret' | 'signed' | 'id', string>>
}

/** The JSON of a body with something else in it. */
export function rewritten(body: Buffer, change: (values: Record<string, unknown>) => unknown): Buffer {
  return Buffer.from(JSON.stringify(change(JSON.parse(body.toString()))))
}

/** In the time of the sender, without milliseconds. */
export function secondsOf(at: Date): number {
  return Math.floor(at.getTime() / 1000)
}
