import { isObject, type Members, parseJson } from '../json.ts'

/** A decoded object of a token, or the reason why it cannot be read. */
export type TokenPart =
  | { readonly kind: 'object'; readonly members: Members }
  | { readonly kind: 'unreadable'; readonly reason: string }

export interface Decoded {
  readonly header: TokenPart
  readonly payload: TokenPart
  readonly signature: string
}

/** Splits and decodes a token (RFC 7515 section 7.1). Checks nothing: the maker of a token can write anything in it. */
export function decode(token: string): Decoded {
  const { header, payload, signature } = partsOf(token)
  return { header: read(header), payload: read(payload), signature }
}

function read(part: string): TokenPart {
  if (part === '') return unreadable('It is missing.')
  const text = textOf(part)
  if (text === undefined) return unreadable('It is not text in base64url.')
  const value = parseJson(text)
  return isObject(value) ? { kind: 'object', members: value } : unreadable('It is not a JSON object.')
}

function unreadable(reason: string): TokenPart {
  return { kind: 'unreadable', reason }
}

function textOf(part: string): string | undefined {
  if (!/^[\w-]+$/.test(part)) return undefined
  // A last character that holds no whole byte counts for nothing, as for the service.
  const whole = part.length % 4 === 1 ? part.slice(0, -1) : part
  try {
    const bytes = atob(whole.replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
  } catch {
    return undefined
  }
}

/** A NumericDate (RFC 7519 section 2) as a time; undefined if it is none, or beyond the range of a Date. */
export function timeOf(value: unknown): Date | undefined {
  if (typeof value !== 'number') return undefined
  const time = new Date(value * 1000)
  return Number.isNaN(time.getTime()) ? undefined : time
}

/** A value as a field shows it: a text as it is, anything else as JSON. */
export function asText(value: unknown): string {
  if (typeof value === 'string' || value === undefined) return value ?? ''
  return JSON.stringify(value)
}

/** Changes a member; a text stays a text, anything else is read as JSON if it is some. */
export function withMember(members: Members, name: string, text: string): Members {
  const value = typeof members[name] === 'string' ? text : parseJson(text)
  return { ...members, [name]: value === undefined ? text : value }
}

export function withoutMember(members: Members, name: string): Members {
  return Object.fromEntries(Object.entries(members).filter(([each]) => each !== name))
}

/** A token from a text that was copied with what stood around it, and what was left out of that. */
export interface Pasted {
  readonly token: string
  readonly removed: readonly string[]
}

/** Quotes of programs and of word processors. */
const QUOTES = /["'`\u2018\u2019\u201c\u201d]/g

/** Line breaks and blanks, also those that are not drawn. */
const BLANKS = /[\s\u200b-\u200d\u2060]+/g

/** Takes out a header's name, the scheme `Bearer`, quotes, line breaks and blanks. */
export function readPasted(text: string): Pasted {
  const removed: string[] = []
  const without = (from: string, what: string, pattern: RegExp) => {
    const rest = from.replace(pattern, '')
    if (rest !== from) removed.push(what)
    return rest
  }
  const plain = without(text, 'quotes', QUOTES).trim()
  const value = without(plain, 'Authorization', /^authorization:/i).trim()
  const bare = without(value, 'Bearer', /^bearer(?=\s|$)/i).trim()
  return { token: without(bare, 'line breaks and blanks', BLANKS), removed }
}

/** Changes the first character of the last part, which stays canonical base64url. */
export function withOtherSignature(token: string): string {
  const { header, payload, signature } = partsOf(token)
  return `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
}

/** Keeps both dots, but nothing behind the second. */
export function withoutSignature(token: string): string {
  const { header, payload } = partsOf(token)
  return `${header}.${payload}.`
}

/** Keeps only the first two parts. */
export function cutOff(token: string): string {
  const { header, payload } = partsOf(token)
  return `${header}.${payload}`
}

/** Another header over the old signature. */
export function withHeaderOf(token: string, members: object): string {
  const { payload, signature } = partsOf(token)
  return `${encoded(members)}.${payload}.${signature}`
}

/** Other claims under the old signature. */
export function withClaims(token: string, members: object): string {
  const { header, signature } = partsOf(token)
  return `${header}.${encoded(members)}.${signature}`
}

/** The members of a part; none of one that cannot be read. */
export function membersOf(part: TokenPart): Members {
  return part.kind === 'object' ? part.members : {}
}

/** Changes members of the header; `undefined` removes one. */
export function withHeaderChanges(token: string, changes: object): string {
  return withHeaderOf(token, { ...membersOf(decode(token).header), ...changes })
}

/** The role that the token does not have. */
export function withOtherRole(token: string): string {
  const claims = membersOf(decode(token).payload)
  return withClaims(token, { ...claims, role: claims['role'] === 'ROLE_ADMIN' ? 'ROLE_USER' : 'ROLE_ADMIN' })
}

function partsOf(token: string) {
  const [header = '', payload = '', signature = ''] = token.split('.')
  return { header, payload, signature }
}

function encoded(value: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  const base64 = btoa(String.fromCharCode(...bytes))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
