import { Buffer } from 'node:buffer'
import { escapeHeader, escapesOf } from './escapes.ts'
import type { Version } from './versions.ts'

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
