import type { Buffer } from 'node:buffer'
import * as z from 'zod/mini'
import { bufferOf, fromUtf8 } from '../runtime/text.ts'
import type { Correlation } from '../runtime/trace.ts'
import type { HandlerEvent } from './handler.ts'

/** One try on its way to the process of a handler, as a structured clone carries it. */
export interface HandlerTry {
  readonly event: Omit<HandlerEvent, 'body' | 'text' | 'json'>
  readonly body: Uint8Array
  readonly idempotencyKey: string
  /** The secrets that the handler may read, by name. */
  readonly secrets: ReadonlyMap<string, string>
  /** When its signal aborts, in milliseconds since the epoch. */
  readonly abortsAt: number
  readonly correlation: Correlation
}

/** The result; `answer` has nothing of what the handler was given. */
export const handlerResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done') }),
  z.object({ kind: z.literal('failed'), answer: z.string().check(z.maxLength(256)) }),
])

export type HandlerResult = z.infer<typeof handlerResult>

/** The event as its handler sees it; text and JSON are read when they are asked for. */
export function handlerEvent({ event, body: bytes }: Pick<HandlerTry, 'event' | 'body'>): HandlerEvent {
  const body: Buffer = bufferOf(bytes)
  const text = (): string => {
    const read = fromUtf8(body)
    if (read === undefined) throw new TypeError('the body is not UTF-8')
    return read
  }
  return {
    ...event,
    body,
    get text() {
      return text()
    },
    get json() {
      return JSON.parse(text())
    },
  }
}

const NAME = /^[A-Za-z_$][\w$]{0,63}$/
const CODE = /^[A-Z][A-Z0-9_]{1,63}$/

/** A stack line in a file of the team's code. */
const FRAME = /^ {4}at .*?\bhandlers\/([a-z0-9][\w.-]*\/[\w-]+\.ts):(\d+)(?::(\d+))?/m

/**
 * What a handler threw, in one line: the class, the code and the place, `TypeError at handlers/shop/order-paid.ts:7:3`.
 * The message is left out, because it may contain what the handler was given.
 */
export function thrownText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `threw ${thrown === null ? 'null' : `a value of type ${typeof thrown}`}`
  const name = NAME.test(thrown.name) ? thrown.name : 'Error'
  const code = 'code' in thrown && CODE.test(String(thrown.code)) ? ` ${thrown.code}` : ''
  const [, file, line, column] = FRAME.exec(framesOf(thrown)) ?? []
  const place = file === undefined ? '' : ` at handlers/${[file, line, column].filter(Boolean).join(':')}`
  return `threw ${name}${code}${place}`
}

/** The stack without the message before it. */
function framesOf({ stack = '', message }: Error): string {
  const end = stack.indexOf(message)
  return end < 0 ? stack : stack.slice(end + message.length)
}
