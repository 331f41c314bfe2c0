import { type LoginField, MAXIMUM_FIELDS } from '../../contract/login-steps.ts'

/** Parameters, fields and values of checks that are no secrets, and are shown in full. */
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
  'error',
  'registration',
  'algorithm',
  'signature',
  'issuer',
  'audience',
  'expiry',
  'subject',
])

/**
 * Each value is good for one login, or is not kept: its first characters are shown, to compare two of them. The values
 * of names in neither list are hidden.
 */
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

/** The number of characters shown of a secret, and the secret's minimum length as a multiple of that. */
const START_LENGTH = 4
const LEAST_TIMES = 4

const MAXIMUM_TEXT = 96

const PRINTABLE = /^[ -~]*$/
const FIELD_NAME = /^[\w.-]{1,32}$/

/** The part of a value that its name allows: all of it, its first characters, or nothing. */
export function shown(name: string, value: string): string {
  if (!PRINTABLE.test(value)) return HIDDEN
  if (OPEN.has(name)) return cut(value)
  const isLong = value.length >= START_LENGTH * LEAST_TIMES
  return CUT.has(name) && isLong ? `${value.slice(0, START_LENGTH)}${HIDDEN}` : HIDDEN
}

export function cut(text: string): string {
  return text.length > MAXIMUM_TEXT ? `${text.slice(0, MAXIMUM_TEXT)}${HIDDEN}` : text
}

export function fieldsOf(entries: readonly (readonly [name: string, value: string])[]): readonly LoginField[] {
  const named = entries.filter(([name]) => FIELD_NAME.test(name))
  return named.slice(0, MAXIMUM_FIELDS).map(([name, value]) => ({ name, value: shown(name, value) }))
}

/** The members of a JSON object; none for a list. */
export function entriesOf(body: unknown): readonly (readonly [name: string, value: string])[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  return Object.entries(body).map(([name, value]) => [name, typeof value === 'object' ? HIDDEN : String(value)])
}
