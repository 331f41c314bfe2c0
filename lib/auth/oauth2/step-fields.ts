import { MAXIMUM_FIELDS } from '../../contract/login-steps.ts'

/** A parameter of a request or a field of an answer; the value as it may be shown. */
export interface Field {
  readonly name: string
  readonly value: string
}

/** What is no secret, and shown as it is: parameters, fields and what checks compare. */
const OPEN: ReadonlySet<string> = new Set([
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'code_challenge_method',
  'grant_type',
  'token_type',
  'expires_in',
  'fields',
  'iss',
  'registration',
  'signature',
  'issuer',
  'audience',
  'expiry',
  'subject',
])

/** Good for one login, or not kept: their first characters tell one from another. Of all other values nothing is shown. */
const CUT: ReadonlySet<string> = new Set([
  'state',
  'nonce',
  'code',
  'code_challenge',
  'code_verifier',
  'access_token',
  'id_token',
  'refresh_token',
])

const HIDDEN = '…'

/** So many characters are shown of a secret that is at least so many times as long. */
const START_LENGTH = 4
const LEAST_TIMES = 4

const MAXIMUM_TEXT = 96

const PRINTABLE = /^[ -~]*$/
const FIELD_NAME = /^[\w.-]{1,32}$/

/** As much of a value as its name allows: all of it, its first characters, or nothing. */
export function shown(name: string, value: string): string {
  if (!PRINTABLE.test(value)) return HIDDEN
  if (OPEN.has(name)) return cut(value)
  const isLong = value.length >= START_LENGTH * LEAST_TIMES
  return CUT.has(name) && isLong ? `${value.slice(0, START_LENGTH)}${HIDDEN}` : HIDDEN
}

export function cut(text: string): string {
  return text.length > MAXIMUM_TEXT ? `${text.slice(0, MAXIMUM_TEXT)}${HIDDEN}` : text
}

export function fieldsOf(entries: readonly (readonly [name: string, value: string])[]): readonly Field[] {
  const named = entries.filter(([name]) => FIELD_NAME.test(name))
  return named.slice(0, MAXIMUM_FIELDS).map(([name, value]) => ({ name, value: shown(name, value) }))
}

/** The members of a JSON object; a list has none to show. */
export function entriesOf(body: unknown): readonly (readonly [name: string, value: string])[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  return Object.entries(body).map(([name, value]) => [name, typeof value === 'object' ? HIDDEN : String(value)])
}
