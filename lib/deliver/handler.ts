import type { Buffer } from 'node:buffer'
import type { Proof } from '../webhooks/proof.ts'

/** What a handler receives: one accepted event, and which try this is. */
export interface HandlerEvent {
  /** The name of the sender, as in `/webhooks/<source>`. */
  readonly source: string
  /** The sender's id of the event, or what stands for it. */
  readonly eventId: string
  readonly type: string
  readonly receivedAt: Date
  /** 1 for the first try since the event was accepted or an operator ordered it. */
  readonly attempt: number
  /** The replay that ordered it, if one did. */
  readonly replayId: string | undefined
  /** For what the handler calls: a header of that name makes it part of the event's trace (W3C Trace Context). */
  readonly traceparent: string
  /** The bytes as they came. */
  readonly body: Buffer
  /** The stored headers; their names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** How well the event is proven. */
  readonly proof: Proof
  /** The body as text. @throws TypeError if it is not UTF-8 */
  readonly text: string
  /** The body read as JSON, for as long as nobody knows better. @throws SyntaxError if it is none */
  // biome-ignore lint/suspicious/noExplicitAny: What a sender sends is known to its handler alone.
  readonly json: any
}

/** What stands around a handler. */
export interface HandlerContext {
  /** Aborts when the time of this try is nearly over; soon after that the process is ended. */
  readonly signal: AbortSignal
  /** Writes a line of JSON with the event's source and id to the log. Keep payloads and secrets out of it. */
  readonly log: HandlerLog
  /**
   * A value of `DELIVERY_SECRETS`, as it is now.
   * @throws Error for a name that `handlers` in gatehouse.config.ts does not give to this handler
   */
  secret(name: string): string
  /** The same for every try and every replay of an event, and different for any other event: `gh_…`. */
  readonly idempotencyKey: string
}

type Write = (message: string, fields?: Readonly<Record<string, unknown>>) => void

export interface HandlerLog {
  readonly info: Write
  readonly warn: Write
  readonly error: Write
}

/** Done when its promise is fulfilled; when it throws, the event comes again later. */
export type Handler = (event: HandlerEvent, context: HandlerContext) => void | Promise<void>

/** Gives a handler its types: the default export of `handlers/<source>/<name>.ts`. */
export function handler(handle: Handler): Handler {
  return handle
}
