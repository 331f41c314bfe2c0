import { Buffer } from 'node:buffer'

/** Reverses a change that bodies suffer in transit. */
export interface BodyForm {
  readonly reason:
    | 'body-mark'
    | 'body-line-ends'
    | 'body-last-line'
    | 'body-base64'
    | 'body-charset'
    | 'body-reformatted'
  /** What must have happened, as the end of a sentence. */
  readonly what: string
  /** The bodies that may have been signed; throws or returns the same bytes when this change cannot have happened. */
  readonly undo: (body: Buffer) => readonly Buffer[]
}

const MARK = Buffer.from('\ufeff')

const text = (...forms: ((body: string) => string)[]) => {
  return (body: Buffer) => forms.map((form) => Buffer.from(form(body.toString('latin1')), 'latin1'))
}

const json = (...forms: ((value: unknown) => string)[]) => {
  return (body: Buffer) => forms.map((form) => Buffer.from(form(JSON.parse(body.toString()))))
}

/** All forms, tried in this order. */
export const BODY_FORMS: readonly BodyForm[] = [
  {
    reason: 'body-mark',
    what: 'a byte order mark was taken off the body or put before it',
    undo: (body) => [body.subarray(0, 3).equals(MARK) ? body.subarray(3) : Buffer.concat([MARK, body])],
  },
  {
    reason: 'body-line-ends',
    what: 'the line ends of the body were changed',
    undo: text(
      (body) => body.replaceAll('\r\n', '\n'),
      (body) => body.replaceAll(/\r?\n/g, '\r\n'),
    ),
  },
  {
    reason: 'body-last-line',
    what: 'the end of the last line was taken off the body or put behind it',
    undo: text(
      (body) => body.trimEnd(),
      (body) => `${body}\n`,
      (body) => `${body}\r\n`,
    ),
  },
  {
    reason: 'body-base64',
    what: 'the body was put into base64 or out of it',
    undo: (body) => [Buffer.from(body.toString('latin1'), 'base64'), Buffer.from(body.toString('base64'))],
  },
  {
    reason: 'body-charset',
    what: 'the body was read in another character set than it is written in',
    undo: (body) => [Buffer.from(body.toString(), 'latin1'), Buffer.from(body.toString('latin1'))],
  },
  {
    reason: 'body-reformatted',
    what: 'the body was parsed and written again',
    undo: json(
      JSON.stringify,
      (value) => JSON.stringify(value, undefined, 2),
      (value) => JSON.stringify(value, undefined, 4),
      (value) => JSON.stringify(value, undefined, '\t'),
      (value) => withBlanks(JSON.stringify(value)),
      (value) => withEscapes(JSON.stringify(value)),
      (value) => withEscapes(withBlanks(JSON.stringify(value))),
      (value) => JSON.stringify(value).replaceAll('/', '\\/'),
      (value) => withEscapes(JSON.stringify(value).replaceAll('/', '\\/')),
    ),
  },
]

/** Adds a blank after each colon and comma outside texts, as Python writes JSON. */
function withBlanks(compact: string): string {
  return compact.replaceAll(/("(?:[^"\\]|\\.)*"?)|([:,])/g, (_, text?: string, mark?: string) => text ?? `${mark} `)
}

/** Escapes non-ASCII characters. */
function withEscapes(written: string): string {
  return written.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
