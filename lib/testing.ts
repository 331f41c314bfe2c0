import { Buffer } from 'node:buffer'
import type { HandlerContext, HandlerEvent, Write } from './deliver/handler.ts'
import { handlerEvent } from './deliver/handler-try.ts'

type Received = Omit<HandlerEvent, 'body' | 'text' | 'json'>

/** What a test says of an event, with the body in one of three forms. */
interface GivenEvent<Source, Type> extends Partial<Omit<Received, 'source' | 'type'>> {
  readonly source?: Source
  readonly type?: Type
  readonly json?: unknown
  readonly text?: string
  readonly body?: Uint8Array
}

/** An event for the test of a handler, made as Gatehouse makes one. Without a body it has the JSON `{}`. */
export function testEvent<Source extends string = string, Type extends string = string>(
  given?: GivenEvent<Source, Type>,
): HandlerEvent<Source, Type>
export function testEvent({
  json = {},
  text = JSON.stringify(json),
  body,
  ...given
}: GivenEvent<string, string> = {}): HandlerEvent {
  const received: Received = {
    source: 'test',
    eventId: 'event-1',
    type: 'test',
    receivedAt: new Date(0),
    attempt: 1,
    replayId: undefined,
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    headers: {},
    proof: { level: 'body', key: 'test#1', typeSigned: true, idSigned: true },
    possibleDuplicateOf: undefined,
    typeConflict: false,
    repeatsUntil: undefined,
  }
  return handlerEvent({ event: { ...received, ...given }, body: body ?? Buffer.from(text) })
}

/** A line that a handler logged. */
interface TestLine extends Readonly<Record<string, unknown>> {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
}

/** A context for the test of a handler. Its `lines` are what the handler has logged. */
export function testContext({
  secrets = {},
  idempotencyKey = 'gh_test',
  signal = new AbortController().signal,
}: Partial<Pick<HandlerContext, 'idempotencyKey' | 'signal'>> & {
  readonly secrets?: Readonly<Record<string, string>>
} = {}): HandlerContext & { readonly lines: readonly TestLine[] } {
  const lines: TestLine[] = []
  const writer =
    (level: TestLine['level']): Write =>
    (message, fields) =>
      lines.push({ ...fields, level, message })
  return {
    lines,
    signal,
    idempotencyKey,
    log: { info: writer('info'), warn: writer('warn'), error: writer('error') },
    secret(name) {
      const value = secrets[name]
      if (value === undefined)
        throw new Error(`no secret ${name}: testContext({ secrets: { '${name}': '…' } }) gives one`)
      return value
    },
  }
}
