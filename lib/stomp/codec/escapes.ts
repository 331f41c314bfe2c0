import { malformed } from './protocol-error.ts'
import type { Version } from './versions.ts'

type Table = Readonly<Record<string, string>>

/** What no escape exists for becomes a blank: a line break in a value must not begin another header. */
const BLANKS: Table = { '\n': ' ', '\r': ' ', '\0': ' ' }

const ESCAPES_1_1: Table = { ...BLANKS, '\\': '\\\\', '\n': '\\n', ':': '\\c' }

/** How the headers of a frame are written: with the escapes of a version, or with none. */
export type Escapes = Version | 'none'

/** "Value Encoding" of STOMP 1.1 and 1.2. */
const ESCAPED: Readonly<Record<Escapes, Table>> = {
  none: BLANKS,
  '1.1': ESCAPES_1_1,
  '1.2': { ...ESCAPES_1_1, '\r': '\\r' },
}

const UNESCAPED_1_1: Table = { '\\\\': '\\', '\\n': '\n', '\\c': ':' }

const UNESCAPED: Readonly<Record<Version, Table>> = {
  '1.1': UNESCAPED_1_1,
  '1.2': { ...UNESCAPED_1_1, '\\r': '\r' },
}

/** These two are never escaped, so that a client of any version reads them. */
const PLAIN_COMMANDS: readonly string[] = ['CONNECT', 'STOMP', 'CONNECTED']

export function escapesOf(command: string, version: Version): Escapes {
  return PLAIN_COMMANDS.includes(command) ? 'none' : version
}

export function escapeHeader(text: string, escapes: Escapes): string {
  const table = ESCAPED[escapes]
  return isPlain(text) ? text : Array.from(text, (character) => table[character] ?? character).join('')
}

/** @throws ProtocolError for an escape that the version does not define */
export function unescapeHeader(text: string, escapes: Escapes): string {
  if (escapes === 'none' || !text.includes('\\')) return text
  const table = UNESCAPED[escapes]
  return text.replaceAll(/\\.?/gs, (sequence) => {
    const character = table[sequence]
    if (character === undefined) throw malformed('an escape in a header is not defined')
    return character
  })
}

function isPlain(text: string): boolean {
  return !['\\', '\n', '\r', ':', '\0'].some((character) => text.includes(character))
}
