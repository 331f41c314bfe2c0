import { Buffer } from 'node:buffer'

export type Violation = 'malformed' | 'head-too-large' | 'body-too-large' | 'version'

/** Bytes or a frame that break the protocol. The message is a rule in plain words and quotes nothing that was sent. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
  readonly violation: Violation

  constructor(violation: Violation, message: string) {
    super(message)
    this.violation = violation
  }
}

export function malformed(message: string): ProtocolError {
  return new ProtocolError('malformed', message)
}

/** Best first. */
export const VERSIONS = ['1.2', '1.1'] as const

export type Version = (typeof VERSIONS)[number]

/**
 * The best version that both sides support (STOMP 1.2, "Protocol Negotiation"); undefined when there is none, as for a
 * client that names none: that is one of 1.0.
 */
export function negotiateVersion(accepted = ''): Version | undefined {
  const offered = accepted.split(',').map((version) => version.trim())
  return VERSIONS.find((version) => offered.includes(version))
}

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

export const CLIENT_COMMANDS = [
  'CONNECT',
  'STOMP',
  'SEND',
  'SUBSCRIBE',
  'UNSUBSCRIBE',
  'ACK',
  'NACK',
  'BEGIN',
  'COMMIT',
  'ABORT',
  'DISCONNECT',
] as const

export const SERVER_COMMANDS = ['CONNECTED', 'MESSAGE', 'RECEIPT', 'ERROR'] as const

export type Command = (typeof CLIENT_COMMANDS)[number] | (typeof SERVER_COMMANDS)[number]

export interface Frame {
  readonly command: Command
  /** Of a repeated header the first (STOMP 1.2, "Repeated Header Entries"), without its escapes. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Uint8Array
}

const COMMANDS: ReadonlySet<string> = new Set([...CLIENT_COMMANDS, ...SERVER_COMMANDS])

export function isCommand(text: string): text is Command {
  return COMMANDS.has(text)
}

/** STOMP 1.2, "Body": no other frame has one. */
const WITH_BODY: readonly Command[] = ['SEND', 'MESSAGE', 'ERROR']

export function mayHaveBody(command: Command): boolean {
  return WITH_BODY.includes(command)
}

const NO_BODY = new Uint8Array(0)

type Given = Readonly<Record<string, string | undefined>>

/** A frame to send; a header without a value is left out. */
export function frame(command: Command, headers: Given, body: Uint8Array = NO_BODY): Frame {
  return { command, headers: new Map(present(headers)), body }
}

/** @throws ProtocolError for a frame without that header */
export function headerOf({ command, headers }: Frame, name: string): string {
  const value = headers.get(name)
  if (value === undefined) throw malformed(`${command} must have the header ${name}`)
  return value
}

function present(headers: Given): [string, string][] {
  return Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
}

const END = Buffer.from('\0')

/** The bytes of a frame. A body is sent with its true length, whatever the headers say. */
export function encode({ command, headers, body }: Frame, version: Version): Uint8Array {
  const sent = Array.from(headers).filter(([name]) => name !== 'content-length')
  const length = body.length > 0 ? `content-length:${body.length}\n` : ''
  return Buffer.concat([Buffer.from(`${command}\n${linesOf(sent, command, version)}${length}\n`), body, END])
}

/** The bytes of a frame of that command, with more headers before those that it has. */
export function withFirst(command: Command, headers: Given, encoded: Uint8Array, version: Version): Uint8Array {
  const head = `${command}\n${linesOf(present(headers), command, version)}`
  return Buffer.concat([Buffer.from(head), encoded.subarray(command.length + 1)])
}

function linesOf(headers: readonly [string, string][], command: Command, version: Version): string {
  const escapes = escapesOf(command, version)
  return headers.map(([name, value]) => `${escapeHeader(name, escapes)}:${escapeHeader(value, escapes)}\n`).join('')
}
