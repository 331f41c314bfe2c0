import { Buffer, isUtf8 } from 'node:buffer'

/**
 * Decodes UTF-8 strictly: undefined for other bytes, and a byte order mark is kept.
 * @param from the first of those bytes
 * @param to the first behind them
 */
export function fromUtf8(bytes: Uint8Array, from = 0, to = bytes.length): string | undefined {
  const text = bufferOf(bytes).toString('utf8', from, to)
  // Bytes that are no UTF-8 decode to this character; so does the character itself.
  return text.includes('\ufffd') && !isUtf8(bytes.subarray(from, to)) ? undefined : text
}

/** Bytes as JSON can hold them: as UTF-8 text, otherwise in base64. */
export interface ShownBytes {
  readonly text: string
  readonly encoding: 'utf8' | 'base64'
  readonly isWhole: boolean
}

/** The first bytes of some. A text that is cut ends with a whole character. @param isWhole whether these are all */
export function shownBytes(bytes: Buffer, most: number, isWhole = true): ShownBytes {
  const isAll = isWhole && bytes.length <= most
  const end = Math.min(most, bytes.length)
  for (const cut of isAll ? [0] : [0, 1, 2, 3]) {
    const text = fromUtf8(bytes, 0, Math.max(0, end - cut))
    if (text !== undefined) return { text, encoding: 'utf8', isWhole: isAll }
  }
  return { text: bytes.subarray(0, end).toString('base64'), encoding: 'base64', isWhole: isAll }
}

/**
 * Controls, formats, surrogates, line ends. A text and no literal, which V8 checks where it is loaded: the classes of
 * Unicode take it three million instructions.
 */
const UNSEEN = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]`

/** A text with U+FFFD for each character that is invisible or changes how the rest is displayed. */
export function visible(text: string): string {
  return isPlain(text) ? text : text.replaceAll(new RegExp(UNSEEN, 'gu'), '\ufffd')
}

/** Whether a text has only visible characters of Latin-1, as most have; then no class of Unicode need be asked. */
export function isPlain(text: string): boolean {
  return /^[ -~\u00a0-\u00ac\u00ae-\u00ff]*$/.test(text)
}

/** The same bytes as a buffer, without a copy. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

declare const measured: unique symbol

/**
 * A caller's text whose length was measured before anything else was done to it. Unicode normalization takes time that
 * grows with the square of a run of combining marks, so only such a text may be normalized (auth-88).
 */
export type Bounded = string & { readonly [measured]: true }

/** In UTF-16 units. */
const NAME_UNITS = 256

/** In UTF-8, as sent. */
export const PASSWORD_BYTES = 1024

/** How large a JSON text may be, in bytes and in members of all its objects. */
export interface JsonBounds {
  readonly bytes: number
  readonly members: number
}

/** A login has a name and a password, or the answer of an authenticator. */
export const LOGIN_BODY: JsonBounds = { bytes: 16_384, members: 100 }

/** The name of a user; undefined for a text of more than 256 UTF-16 units, which is no name. */
export function boundedName(text: string): Bounded | undefined {
  return text.length <= NAME_UNITS ? (text as Bounded) : undefined
}

/** A password; undefined for a text of more than 1,024 bytes, which is no password. */
export function boundedPassword(text: string): Bounded | undefined {
  const isShort = text.length <= PASSWORD_BYTES && Buffer.byteLength(text) <= PASSWORD_BYTES
  return isShort ? (text as Bounded) : undefined
}

/** Unicode's NFC: two spellings of one text become equal. */
export function nfc(text: Bounded): string {
  return text.normalize('NFC')
}

/** What SASLprep leaves out, and the spaces that it replaces (RFC 3454 tables B.1 and C.1.2). */
const LEFT_OUT = /\u034f|[\ufe00-\ufe0f]|[\u180b-\u180d]|[\u00ad\u1806\u200b-\u200d\u2060\ufeff]/g
const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g

/** A password as SASLprep maps and normalizes it (RFC 4013 section 2); what it prohibits is left to the directory. */
export function saslPrepared(text: Bounded): string {
  return text.replaceAll(LEFT_OUT, '').replaceAll(SPACES, ' ').normalize('NFKC')
}

/**
 * How deep the objects and lists of a JSON text are nested, and how many members its objects have. It reads the text
 * itself, because a parser with a reviver recurses, exhausts the stack, and is slow for many names. For a text that is
 * no JSON, the numbers mean nothing.
 */
export function shapeOf(text: string): { readonly depth: number; readonly members: number } {
  let depth = 0
  let deepest = 0
  let members = 0
  for (let index = 0; index < text.length; index++) {
    switch (text[index]) {
      case '"':
        index = endOfString(text, index)
        break
      case ':':
        members++
        break
      case '{':
      case '[':
        deepest = Math.max(deepest, ++depth)
        break
      case '}':
      case ']':
        depth--
    }
  }
  return { depth: deepest, members }
}

function endOfString(text: string, start: number): number {
  let end = start
  do end = text.indexOf('"', end + 1)
  while (end !== -1 && isEscaped(text, end))
  return end === -1 ? text.length : end
}

function isEscaped(text: string, index: number): boolean {
  let first = index
  while (text[first - 1] === '\\') first--
  return (index - first) % 2 === 1
}

/**
 * A string and the colon behind it, or a bracket. A string without an end counts as one: otherwise each quote in it
 * would begin another try.
 */
const PART = /"(?:[^"\\]|\\[\s\S]?)*(?:"\s*:?|$)|[{}[\]]/g

/**
 * The names that a JSON object, given as a text that a parser took, has more than once at its top. The parser kept the
 * last of them, while others on the way may have seen the first (RFC 8259 section 4).
 */
export function repeatedNames(text: string): ReadonlySet<string> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  let depth = 0
  for (const [part] of text.matchAll(PART)) {
    if (part === '{' || part === '[') depth++
    else if (part === '}' || part === ']') depth--
    else if (depth === 1 && part.endsWith(':')) note(JSON.parse(part.slice(0, -1)))
  }
  return repeated

  function note(name: string): void {
    if (seen.has(name)) repeated.add(name)
    seen.add(name)
  }
}

/** More than any form has that we read. */
const MAXIMUM_FIELDS = 1000

/**
 * The names and values of `application/x-www-form-urlencoded` text (WHATWG URL, section 5.1). Undefined beyond a thousand
 * of them: Node takes minutes for a million.
 */
export function formFields(text: string): readonly (readonly [name: string, value: string])[] | undefined {
  const isTooMuch = text.split('&', MAXIMUM_FIELDS + 1).length > MAXIMUM_FIELDS
  return isTooMuch ? undefined : [...new URLSearchParams(text)]
}

/** The rule that a field broke, as a sentence of it. */
export function broken(field: string, rule: string): string {
  return `${field.charAt(0).toUpperCase()}${field.slice(1)} ${rule}`
}
