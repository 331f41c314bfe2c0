import { Buffer } from 'node:buffer'
import type { Socket } from 'node:net'
import { openSocket } from './raw-socket.ts'

/** Types of frames, RFC 9113 section 6. */
export const FRAME = { data: 0, headers: 1, reset: 3, settings: 4, continuation: 9 } as const

const END_STREAM = 0x1
const END_HEADERS = 0x4
export const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'

/** RFC 9113 section 4.1. */
export function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** A connection on which nothing is said yet but how it begins. */
export async function openHttp2(address: string, localAddress?: string): Promise<Socket> {
  const socket = await openSocket(`http://${address}`, localAddress)
  socket.write(Buffer.concat([Buffer.from(PREFACE), frame(FRAME.settings, 0, 0)]))
  return socket
}

/** The headers of a request, in the given order and as often as they are given. */
export function headersFrame(stream: number, fields: readonly (readonly [name: string, value: string])[]): Buffer {
  const block = Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), literal(name), literal(value)]))
  return frame(FRAME.headers, END_HEADERS, stream, block)
}

export function lastData(stream: number, payload: Buffer): Buffer {
  return frame(FRAME.data, END_STREAM, stream, payload)
}

/** RFC 7541 sections 5.1 and 5.2: a length in seven bits and, where that is not enough, more; the text as it is. */
function literal(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1')
  const head = [Math.min(bytes.length, 127)]
  let rest = bytes.length - 127
  if (rest >= 0) {
    for (; rest >= 128; rest = Math.floor(rest / 128)) head.push((rest % 128) + 128)
    head.push(rest)
  }
  return Buffer.concat([Buffer.from(head), bytes])
}

/** The types of the frames that come on a stream, until it ends. */
export async function answerOn(socket: Socket, stream: number): Promise<readonly number[]> {
  const types: number[] = []
  for await (const { type, flags, id } of framesOf(socket)) {
    if (id !== stream) continue
    types.push(type)
    if (flags & END_STREAM || type === FRAME.reset) break
  }
  return types
}

/** Settles when the other end is gone, in order or not. */
export function gone(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.once('close', () => resolve()).resume()
  return promise
}

async function* framesOf(socket: Socket) {
  let received: Buffer = Buffer.alloc(0)
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk])
    while (received.length >= 9 && received.length >= 9 + received.readUIntBE(0, 3)) {
      yield { type: received.readUInt8(3), flags: received.readUInt8(4), id: received.readUInt32BE(5) }
      received = received.subarray(9 + received.readUIntBE(0, 3))
    }
  }
}
