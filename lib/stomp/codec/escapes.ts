import { malformed } from './protocol-error.ts'
import type { Version } from './versions.ts'

type Table = Readonly<Record<string, string>>

/** What no escape exists for becomes a blank: a line break in a value must not begin another header. */
const BLANKS: Table = { '\n': ' ', '\r': ' ', '\0': ' ' }

const ESCAPES_1_1: Table = { ...BLANKS, '\\': '\\\\', '\n': '\\n', ':': '\\c' }

/** "Value Encoding" of STOMP 1.1 and 1.2; 1.0 has no escapes. */
const ESCAPED: Readonly<Record<Version, Table>> = {
  '1.0': BLANKS,
  '1.1': ESCAPES_1_1,
  '1.2': { ...ESCAPES_1_1, '\r': '\\r' },
}

const UNESCAPED_1_1: Table = { '\\\\': '\\', '\\n': '\n', '\\c': ':' }

const UNESCAPED: Readonly<Record<Exclude<Version, '1.0'>, Table>> = {
  '1.1': UNESCAPED_1_1,
  '1.2': { ...UNESCAPED_1_1, '\\r': '\r' },
}

/** These two are never escaped, so that a client of any version reads them. */
const PLAIN_COMMANDS: readonly string[] = ['CONNECT', 'STOMP', 'CONNECTED']

/** How the headers of a command are written in a version: without escapes as in 1.0, or with them. */
export function escapesOf(command: string, version: Version): Version {
  return PLAIN_COMMANDS.includes(command) ? '1.0' : version
}

export function escapeHeader(text: string, version: Version): string {
  const table = ESCAPED[version]
  return isPlain(text) ? text : Array.from(text, (character) => table[character] ?? character).join('')
}

/** @throws ProtocolError for an escape that the version does not define */
export function unescapeHeader(text: string, version: Version): string {
  if (version === '1.0' || !text.includes('\\')) return text
  const table = UNESCAPED[version]
  return text.replaceAll(/\\.?/gs, (sequence) => {
    const character = table[sequence]
    if (character === undefined) throw malformed('an escape in a header is not defined')
    return character
  })
}

function isPlain(text: string): boolean {
  return !['\\', '\n', '\r', ':', '\0'].some((character) => text.includes(character))
}
