import { SENT_ID } from '../messages/send.ts'
import type { Frame } from './codec/frame.ts'
import { malformed } from './codec/frame.ts'

/** @throws ProtocolError for a frame without that header */
export function headerOf({ command, headers }: Frame, name: string): string {
  const value = headers.get(name)
  if (value === undefined) throw malformed(`${command} must have the header ${name}`)
  return value
}

/** Headers of a SEND that mean something to the protocol, or that only the server may set. */
const RESERVED: readonly string[] = [
  'ack',
  SENT_ID,
  'authorization',
  'content-length',
  'destination',
  'heart-beat',
  'login',
  'message-id',
  'passcode',
  'receipt',
  'receipt-id',
  'redelivered',
  'sender',
  'server',
  'session',
  'subscription',
  'transaction',
  'user-name',
  'version',
  'x-api-key',
]

const PLAIN_NAME = /^[\w.-]{1,64}$/

/** What the receivers of a message see of its sender's headers. */
export function passedOn({ headers }: Frame): Readonly<Record<string, string>> {
  const passed = Array.from(headers).filter(([name]) => PLAIN_NAME.test(name) && !RESERVED.includes(name.toLowerCase()))
  return Object.fromEntries(passed)
}
