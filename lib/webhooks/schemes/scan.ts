import type { Buffer } from 'node:buffer'
import { ServiceError } from '../../errors.ts'
import { pick } from '../find.ts'
import { parseJson } from '../json.ts'

/** What to find in a value: the value itself at a leaf, otherwise members by name. */
interface Place {
  /** The index of the value in the result. */
  readonly index: number | undefined
  readonly members: readonly Member[]
}

interface Member {
  readonly name: string
  readonly place: Place
}

type Path = readonly string[]

/**
 * Finds single values in JSON whose signature has not been checked yet: one pass over the bytes that skips the rest
 * without recursion and keeps nothing else. The scan is less strict than a parser, so once the signature holds, its
 * findings have to be compared with the parsed body.
 * @param paths names of members; `0` is the first element of a list
 * @returns a function that reads the texts, numbers and truth values at the paths as text, `''` where there is none; of
 * duplicate members the last one counts, as it does for a parser
 */
export function scannerOf(paths: readonly Path[]): (bytes: Buffer) => readonly string[] {
  const root = placeOf(paths.map((path, index) => ({ path, index })))
  return (bytes) => {
    const found = paths.map(() => '')
    readValue(bytes, skipBlanks(bytes, 0), root, found)
    return found
  }
}

function placeOf(wanted: readonly { readonly path: Path; readonly index: number }[]): Place {
  const names = new Set(wanted.flatMap(({ path: [name] }) => name ?? []))
  const members = [...names].map((name) => ({
    name,
    place: placeOf(
      wanted.filter(({ path }) => path[0] === name).map(({ path, index }) => ({ path: path.slice(1), index })),
    ),
  }))
  return { index: wanted.find(({ path }) => path.length === 0)?.index, members }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** @returns the index after the value */
function readValue(bytes: Buffer, at: number, place: Place, found: string[]): number {
  if (place.index !== undefined) found[place.index] = textAt(bytes, at)
  if (place.members.length === 0) return endOfValue(bytes, at)
  if (bytes[at] === OPEN_OBJECT) return readMembers(bytes, at, place, found)
  const first = bytes[at] === OPEN_LIST ? place.members.find(({ name }) => name === '0') : undefined
  return first
    ? endOfValue(bytes, readValue(bytes, skipBlanks(bytes, at + 1), first.place, found), 1)
    : endOfValue(bytes, at)
}

function readMembers(bytes: Buffer, at: number, place: Place, found: string[]): number {
  let index = at
  do {
    const start = skipBlanks(bytes, index + 1)
    if (bytes[start] !== QUOTE) return endOfValue(bytes, start, 1)
    const end = endOfString(bytes, start)
    const colon = skipBlanks(bytes, end)
    if (bytes[colon] !== COLON) return bytes.length
    const member = place.members.find(({ name }) => isText(bytes, start + 1, end - 1, name))
    const value = skipBlanks(bytes, colon + 1)
    index = skipBlanks(bytes, member ? readValue(bytes, value, member.place, found) : endOfValue(bytes, value))
  } while (bytes[index] === COMMA)
  return index + 1
}

/** Whether these bytes are that name, which is ASCII. An escape has at most six bytes (RFC 8259 section 7). */
function isText(bytes: Buffer, start: number, end: number, name: string): boolean {
  const length = end - start
  if (length > name.length && length <= 6 * name.length && bytes.subarray(start, end).includes(BACKSLASH))
    return unescaped(bytes.toString('utf8', start, end)) === name
  if (length !== name.length) return false
  for (let index = 0; index < name.length; index++) {
    if (bytes[start + index] !== name.charCodeAt(index)) return false
  }
  return true
}

/** The index after the string that begins here. */
function endOfString(bytes: Buffer, at: number): number {
  let index = at + 1
  while (index < bytes.length && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1
  return index + 1
}

/** How a byte changes the number of open objects and lists. */
const STEPS = new Int8Array(256)
STEPS[OPEN_OBJECT] = STEPS[OPEN_LIST] = 1
STEPS[CLOSE_OBJECT] = STEPS[CLOSE_LIST] = -1

/**
 * The end of the value that begins here: the index of the comma or bracket after it.
 * @param open the number of objects and lists open here; with 1, the value is the one that contains this place
 */
function endOfValue(bytes: Buffer, at: number, open = 0): number {
  let depth = open
  let index = at
  while (index < bytes.length) {
    const byte = bytes[index] ?? 0
    const step = STEPS[byte] ?? 0
    if (depth === 0 && (byte === COMMA || step < 0)) return index
    depth += step
    index = byte === QUOTE ? endOfString(bytes, index) : index + 1
  }
  return index
}

function skipBlanks(bytes: Buffer, at: number): number {
  let index = at
  while (isBlank(bytes[index])) index += 1
  return index
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** A text without its quotes and escapes, a number or truth value verbatim; `''` for null, objects and lists. */
function textAt(bytes: Buffer, at: number): string {
  if (bytes[at] === QUOTE) return unescaped(bytes.toString('utf8', at + 1, endOfString(bytes, at) - 1))
  if (bytes[at] === OPEN_OBJECT || bytes[at] === OPEN_LIST) return ''
  const literal = bytes.toString('latin1', at, endOfValue(bytes, at)).trimEnd()
  return literal === 'null' ? '' : literal
}

const ESCAPES = new Map(Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }))

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, code: string | undefined, letter: string) =>
    code === undefined ? (ESCAPES.get(letter) ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** The parsed body, in which a proof that a scan found has to stand as well; undefined if it is not JSON. */
export function jsonOf(body: Buffer): unknown {
  try {
    return parseJson(body)
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

/** Whether the parsed body has the scanned values at these paths. */
export function isSame(payload: unknown, paths: readonly (readonly string[])[], scanned: readonly string[]): boolean {
  return paths.every((path, index) => (pick(payload, path) ?? '') === scanned[index])
}
