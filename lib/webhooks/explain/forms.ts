import type { Headers, SignedCall } from '../schemes/scheme.ts'
import type { SharedSecret } from '../verify.ts'
import { BODY_FORMS, type BodyForm } from './body-forms.ts'

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
    forms: rewritten(
      (value) => value.replaceAll('-', '+').replaceAll('_', '/'),
      padded,
      (value) => padded(value.replaceAll('-', '+').replaceAll('_', '/')),
    ),
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

function padded(value: string): string {
  return value.padEnd(Math.ceil(value.length / 4) * 4, '=')
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
