import type { Buffer } from 'node:buffer'
import type { Proof } from '../webhooks/event.ts'
import type { JsonOf } from './known-events.ts'

/**
 * The argument of a handler: one accepted event, and the number of the try. With the names of a provider and of its
 * types, `json` has their members: `HandlerEvent<'stripe', 'payment_intent.succeeded'>`; of several types, `type` decides.
 */
export type HandlerEvent<Source extends string = string, Type extends string = string> = Type extends string
  ? AcceptedEvent<Source, Type>
  : never

interface AcceptedEvent<Source extends string, Type extends string> {
  /** The name of the sender, as in `/webhooks/<source>`. */
  readonly source: string
  /** The sender's id of the event, or its substitute. */
  readonly eventId: string
  readonly type: Type
  readonly receivedAt: Date
  /** 1 for the first try since the event was accepted or an operator ordered it. */
  readonly attempt: number
  /** The replay that ordered it, if one did. */
  readonly replayId: string | undefined
  /** A header for the handler's own calls: with it they belong to the event's trace (W3C Trace Context). */
  readonly traceparent: string
  /** The received bytes. */
  readonly body: Buffer
  /** The stored headers; their names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** How well the event is proven. */
  readonly proof: Proof
  /** The id of an event with the same signed content: this one may be its copy under an id that is not signed. */
  readonly possibleDuplicateOf: string | undefined
  /** Whether that content came under another type, too, and the type is not signed. */
  readonly typeConflict: boolean
  /** Until when the sender may send the event again; undefined if it never does. */
  readonly repeatsUntil: Date | undefined
  /** The body as text. @throws TypeError if it is not UTF-8 */
  readonly text: string
  /** The body as JSON; it was not compared with its type. @throws SyntaxError if it is no JSON */
  readonly json: JsonOf<Source, Type>
}

/** The environment of a handler. */
export interface HandlerContext {
  /** Aborts shortly before the time of this try is over; soon after that the process is ended. */
  readonly signal: AbortSignal
  /** Writes a line of JSON with the event's source and id to the log. Keep payloads and secrets out of it. */
  readonly log: HandlerLog
  /**
   * The present value of a name in `DELIVERY_SECRETS`.
   * @throws Error for a name that `handlers` in gatehouse.config.ts does not give to this handler
   */
  secret(name: string): string
  /** The same for every try and every replay of an event, and different for any other event: `gh_…`. */
  readonly idempotencyKey: string
}

export type Write = (message: string, fields?: Readonly<Record<string, unknown>>) => void

export interface HandlerLog {
  readonly info: Write
  readonly warn: Write
  readonly error: Write
}

/** Done when its promise is fulfilled. When it throws, the event is delivered again later. */
export type Handler<Source extends string = string, Type extends string = string> = (
  event: HandlerEvent<Source, Type>,
  context: HandlerContext,
) => void | Promise<void>

/** Gives a handler its types: the default export of `handlers/<source>/<name>.ts`. */
export function handler<Source extends string = string, Type extends string = string>(
  handle: Handler<Source, Type>,
): Handler<Source, Type> {
  return handle
}
