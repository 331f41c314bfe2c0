import type { Buffer } from 'node:buffer'
import { bufferOf, fromUtf8 } from '../runtime/text.ts'
import type { HandlerEvent } from './handler.ts'
import type { HandlerTry } from './handler-try.ts'

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
