import { Buffer } from 'node:buffer'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** The limit of the data of one connection, in bytes; a thousand users and their groups take far less. */
const MAXIMUM_BYTES = 8 * 1024 * 1024

/** The tag of every LDAP message (RFC 4511 section 4.1.1). */
const SEQUENCE = 0x30

/**
 * A connection that passes one whole LDAP message at a time to ldapts. Without it, ldapts reads the messages of one
 * piece of data by recursion, so that a flood of tiny ones exhausts the stack. And ldapts waits for the rest of any
 * data that it cannot read.
 */
export class MessageStream extends Duplex {
  /** ldapts checks these before it regards a socket as connected. */
  readonly connecting = false
  readonly readyState = 'open'
  readonly #socket: Socket
  #held = Buffer.alloc(0)
  #received = 0

  constructor(socket: Socket) {
    super({ allowHalfOpen: false })
    this.#socket = socket
    // Until ldapts listens: an error without a listener would end the process.
    this.on('error', () => {})
    socket.on('data', (data: Buffer) => this.#take(data))
    socket.once('error', (error) => this.destroy(error))
    socket.once('end', () => this.destroy())
    socket.once('close', () => this.destroy())
  }

  override _read(): void {
    // Data is pushed as it arrives; MAXIMUM_BYTES bounds it.
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }

  #take(data: Buffer): void {
    try {
      this.#received += data.length
      if (this.#received > MAXIMUM_BYTES) throw new Error('The directory sent too much')
      this.#held = this.#handOver(Buffer.concat([this.#held, data]))
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error('The directory sent garbage', { cause: error }))
    }
  }

  #handOver(data: Buffer): Buffer<ArrayBuffer> {
    let start = 0
    for (;;) {
      const size = sizeOfMessage(data.subarray(start))
      if (size === undefined || size > data.length - start) return Buffer.from(data.subarray(start))
      this.push(data.subarray(start, start + size))
      start += size
    }
  }
}

/**
 * The size of the message that the data begins with, in bytes; undefined while too few bytes have arrived.
 * @throws Error for data that no LDAP message begins with
 */
export function sizeOfMessage(data: Buffer): number | undefined {
  const [tag = SEQUENCE, length] = data
  if (tag !== SEQUENCE) throw new Error('The directory sent something other than LDAP')
  if (length === undefined) return undefined
  if (length < 0x80) return 2 + length
  const octets = length - 0x80
  if (octets === 0 || octets > 4) throw new Error('The directory sent a length that LDAP does not know')
  if (data.length < 2 + octets) return undefined
  const size = 2 + octets + data.readUIntBE(2, octets)
  if (size > MAXIMUM_BYTES) throw new Error('The directory sent too long a message')
  return size
}
