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

/** A frame to send; a header without a value is left out. */
export function frame(
  command: Command,
  headers: Readonly<Record<string, string | undefined>>,
  body: Uint8Array = NO_BODY,
): Frame {
  const present = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { command, headers: new Map(present), body }
}

const END = Buffer.from('\0')

/** The bytes of a frame. A body comes with its length, whatever the headers say of it. */
export function encode({ command, headers, body }: Frame, version: Version): Uint8Array {
  const escapes = escapesOf(command, version)
  const lines = Array.from(headers)
    .filter(([name]) => name !== 'content-length')
    .map(([name, value]) => `${escapeHeader(name, escapes)}:${escapeHeader(value, escapes)}\n`)
  const length = body.length > 0 ? `content-length:${body.length}\n` : ''
  return Buffer.concat([Buffer.from(`${command}\n${lines.join('')}${length}\n`), body, END])
}
