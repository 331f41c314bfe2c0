import { Buffer } from 'node:buffer'
import type { Headers, SignedCall } from '../schemes/scheme.ts'
import type { SharedSecret } from '../verify.ts'

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
const BODY_FORMS: readonly BodyForm[] = [
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

/** A form that a call may have had when it was signed. */
export interface CallForm {
  readonly reason:
    | BodyForm['reason']
    | 'header-capitals'
    | 'header-blanks'
    | 'header-base64'
    | 'header-prefix'
    | 'address'
  /** What must have happened, as the end of a sentence. */
  readonly what: string
  readonly forms: (call: SignedCall) => readonly SignedCall[]
}

const rewritten = (...rewrites: ((value: string) => string)[]) => {
  return (call: SignedCall) => rewrites.map((rewrite) => ({ ...call, headers: mapped(call.headers, rewrite) }))
}

const readdressed = (...rewrites: ((url: string) => string)[]) => {
  return (call: SignedCall) => rewrites.map((rewrite) => ({ ...call, url: rewrite(call.url) }))
}

/** All forms, tried in this order. */
export const CALL_FORMS: readonly CallForm[] = [
  {
    reason: 'header-capitals',
    what: 'a header holds upper-case hexadecimal',
    forms: rewritten((value) => value.replaceAll(/[0-9A-F]{32,}/g, (hex) => hex.toLowerCase())),
  },
  {
    reason: 'header-blanks',
    what: 'a header holds blanks where none belong, or lacks some',
    forms: rewritten(
      (value) => value.trim(),
      (value) => value.replaceAll(/\s/g, ''),
      (value) => value.replaceAll(/,(?=\w+=)/g, ', '),
    ),
  },
  {
    reason: 'header-base64',
    what: 'a header holds base64 in another spelling',
    forms: rewritten((value) => value.replaceAll('-', '+').replaceAll('_', '/')),
  },
  {
    reason: 'header-prefix',
    what: 'the prefix of a signature is missing or another',
    forms: rewritten(
      ...['sha256=', 'sha1=', 'v0=', 'v1,'].flatMap((prefix) => [
        (value: string) => `${prefix}${value}`,
        (value: string) => value.replace(/^\w+[=,]/, prefix),
      ]),
      (value) => value.replace(/^\w+[=,]/, ''),
    ),
  },
  ...BODY_FORMS.map(({ reason, what, undo }) => ({
    reason,
    what,
    forms: (call: SignedCall) => bodiesOf(undo, call).map((body) => ({ ...call, body })),
  })),
  {
    reason: 'address',
    what: 'it was sent to another address than it was signed for',
    forms: readdressed(
      (url) => url.replace(/^http:/, 'https:'),
      (url) => url.replace(/^https:/, 'http:'),
      (url) => url.replace(/\?.*$/s, ''),
      (url) => url.replace(/\/(?=\?|$)/, ''),
      (url) => url.replace(/(?=\?|$)/, '/'),
    ),
  },
]

/** A secret as its owner may have meant it. */
export interface SecretForm {
  readonly reason: 'expired-secret' | 'early-secret' | 'misspelt-secret'
  readonly what: string
  readonly forms: (secret: SharedSecret, now: Date) => readonly SharedSecret[]
}

export const SECRET_FORMS: readonly SecretForm[] = [
  {
    reason: 'expired-secret',
    what: 'a secret that is over',
    forms: ({ value, notAfter }, now) => (notAfter && notAfter < now ? [{ value }] : []),
  },
  {
    reason: 'early-secret',
    what: 'a secret that is not good yet',
    forms: ({ value, notBefore }, now) => (notBefore && notBefore > now ? [{ value }] : []),
  },
  {
    reason: 'misspelt-secret',
    what: 'the secret with blanks or a prefix more or less than configured',
    forms: ({ value }) =>
      [value.trim(), `${value}\n`, value.replace(/^whsec_/, ''), `whsec_${value}`].map((other) => ({ value: other })),
  },
]

function mapped(headers: Headers, rewrite: (value: string) => string): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value && rewrite(value)]))
}

/** Not every change applies to every body; what is nested too deep to be written again exhausts the stack. */
function bodiesOf(undo: BodyForm['undo'], { body }: SignedCall): readonly Buffer[] {
  try {
    return undo(body)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return []
    throw error
  }
}
