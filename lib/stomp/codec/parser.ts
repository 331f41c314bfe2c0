import { Buffer } from 'node:buffer'
import { bufferOf, fromUtf8 } from '../../runtime/text.ts'
import {
  type Command,
  type Escapes,
  escapesOf,
  type Frame,
  isCommand,
  malformed,
  mayHaveBody,
  ProtocolError,
  unescapeHeader,
  type Version,
} from './frame.ts'

export interface FrameLimits {
  readonly lineBytes: number
  readonly headers: number
  readonly bodyBytes: number
}

export const FRAME_LIMITS: FrameLimits = { lineBytes: 8192, headers: 64, bodyBytes: 65_536 }

const NOTHING = new Uint8Array(0)
const NO_BYTES: Buffer = Buffer.alloc(0)
const NO_HEADERS = new Map<string, string>()

/** What a body may pin beside itself: less than is counted for a message that is kept. */
const PINNED_BYTES = 512

/** Heads are rarely longer. */
const NEAR_BYTES = 1024

const NUL = 0
const LF = 10
const CR = 13

/** Consumes bytes from an index on and returns where it stopped; a state is left by setting the next one. */
type State = (this: Parser, bytes: Buffer, from: number) => number

/**
 * Reads frames from bytes in pieces of any size. Line ends are LF or CRLF, heart-beats between frames are skipped. Beside
 * what was pushed and not asked for yet, it holds no more than one frame within the limits.
 */
export class Parser {
  /** Decides which escapes headers have; known once CONNECT was read. */
  version: Version = '1.2'
  readonly #limits: FrameLimits
  readonly #gathered = new Gathered()
  /** Released once it is read: a piece of a message keeps the whole received buffer in memory. */
  #bytes = NO_BYTES
  #from = 0
  #state: State
  #command: Command = 'CONNECT'
  #escapes: Escapes = 'none'
  #headers = NO_HEADERS
  #headerLines = 0
  #bodyBytes = 0
  #body: Uint8Array = NOTHING
  #frame: Frame | undefined

  constructor(limits: FrameLimits = FRAME_LIMITS) {
    this.#limits = limits
    this.#state = this.#betweenFrames
  }

  push(bytes: Uint8Array): void {
    const isRead = this.#from === this.#bytes.length
    this.#bytes = isRead ? bufferOf(bytes) : Buffer.concat([this.#bytes.subarray(this.#from), bytes])
    this.#from = 0
  }

  /**
   * The next whole frame, if it is there.
   * @throws ProtocolError, and what comes after it means nothing
   */
  next(): Frame | undefined {
    this.#frame = undefined
    while (this.#from < this.#bytes.length) {
      this.#from = this.#state(this.#bytes, this.#from)
      if (this.#frame) return this.#frame
    }
    this.#bytes = NO_BYTES
    this.#from = 0
    return undefined
  }

  #betweenFrames(bytes: Buffer, from: number): number {
    let at = from
    while (bytes[at] === LF || bytes[at] === CR) at += 1
    if (at < bytes.length) this.#state = this.#commandLine
    return at
  }

  #commandLine(bytes: Buffer, from: number): number {
    return this.#headAtOnce(bytes, from) ?? this.#line(bytes, from, this.#readCommand)
  }

  /** The short way for a plain head that is there as a whole, as most are: its text is made once, not line by line. */
  #headAtOnce(bytes: Buffer, from: number): number | undefined {
    const end = endOfHead(bytes, from)
    if (end < 0 || end - from > this.#limits.lineBytes || this.#gathered.length > 0) return undefined
    const text = bytes.toString('utf8', from, end + 1)
    if (/[\r\0\ufffd]/.test(text)) return undefined
    let start = text.indexOf('\n') + 1
    this.#readCommand(text.slice(0, start - 1))
    while (start < text.length) {
      const lineEnd = text.indexOf('\n', start)
      this.#addHeader(text.slice(start, lineEnd))
      start = lineEnd + 1
    }
    this.#beginBody()
    return end + 2
  }

  #headerLine(bytes: Buffer, from: number): number {
    return this.#line(bytes, from, this.#readHeader)
  }

  #line(bytes: Buffer, from: number, read: (this: Parser, line: string) => void): number {
    const end = bytes.indexOf(LF, from)
    if (end < 0) {
      this.#gathered.add(bytes.subarray(from), this.#limits.lineBytes, lineTooLong)
      return bytes.length
    }
    read.call(this, this.#textUpTo(bytes, from, end))
    return end + 1
  }

  #textUpTo(bytes: Buffer, from: number, end: number): string {
    const limit = this.#limits.lineBytes
    if (this.#gathered.length === 0 && end - from <= limit) return textOf(bytes, from, end)
    return textOf(this.#gathered.end(bytes.subarray(from, end), limit, lineTooLong))
  }

  #readCommand(line: string): void {
    if (!isCommand(line)) throw malformed('the command is not known')
    this.#command = line
    this.#escapes = escapesOf(line, this.version)
    this.#headers = new Map()
    this.#headerLines = 0
    this.#state = this.#headerLine
  }

  #readHeader(line: string): void {
    if (line === '') this.#beginBody()
    else this.#addHeader(line)
  }

  #addHeader(line: string): void {
    this.#headerLines += 1
    if (this.#headerLines > this.#limits.headers) throw new ProtocolError('head-too-large', 'too many headers')
    const colon = line.indexOf(':')
    if (colon < 1) throw malformed('a header must have a name and a colon')
    const name = unescapeHeader(line.slice(0, colon), this.#escapes)
    if (!this.#headers.has(name)) this.#headers.set(name, unescapeHeader(line.slice(colon + 1), this.#escapes))
  }

  #beginBody(): void {
    const written = this.#headers.get('content-length')
    if (written === undefined) {
      this.#state = this.#bodyToNul
      return
    }
    if (!/^\d{1,9}$/.test(written)) throw malformed('content-length must be a number')
    this.#bodyBytes = Number(written)
    if (this.#bodyBytes > this.#bodyLimit) throw this.#bodyExcess()
    this.#state = this.#sizedBody
  }

  #bodyToNul(bytes: Buffer, from: number): number {
    const end = bytes.indexOf(NUL, from)
    const to = end < 0 ? bytes.length : end
    const piece = bytes.subarray(from, to)
    if (end < 0) {
      this.#gathered.add(piece, this.#bodyLimit, this.#bodyExcess)
      return to
    }
    this.#endBody(piece)
    this.#endFrame()
    return end + 1
  }

  #sizedBody(bytes: Buffer, from: number): number {
    const end = from + this.#bodyBytes - this.#gathered.length
    if (end > bytes.length) {
      this.#gathered.add(bytes.subarray(from), this.#bodyLimit, this.#bodyExcess)
      return bytes.length
    }
    this.#endBody(bytes.subarray(from, end))
    this.#state = this.#nul
    return end
  }

  #nul(bytes: Buffer, from: number): number {
    if (bytes[from] !== NUL) throw malformed('NUL must follow the body')
    this.#endFrame()
    return from + 1
  }

  #endBody(piece: Uint8Array): void {
    this.#body = keepable(this.#gathered.end(piece, this.#bodyLimit, this.#bodyExcess))
  }

  get #bodyLimit(): number {
    return mayHaveBody(this.#command) ? this.#limits.bodyBytes : 0
  }

  get #bodyExcess(): () => ProtocolError {
    return mayHaveBody(this.#command) ? bodyTooLarge : bodyRefused
  }

  #endFrame(): void {
    this.#frame = { command: this.#command, headers: this.#headers, body: this.#body }
    this.#body = NOTHING
    this.#headers = NO_HEADERS
    this.#state = this.#betweenFrames
  }
}

/** Where two line ends follow each other, if that is near; otherwise negative. */
function endOfHead(bytes: Buffer, from: number): number {
  let end = bytes.indexOf(LF, from)
  while (end >= 0 && end - from < NEAR_BYTES && bytes[end + 1] !== LF) end = bytes.indexOf(LF, end + 1)
  return bytes[end + 1] === LF ? end : -1
}

/** A header line, or a command, without its end. */
function textOf(bytes: Uint8Array, from?: number, to?: number): string {
  const line = fromUtf8(bytes, from, to)
  if (line === undefined) throw malformed('a header must be UTF-8')
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  if (text.includes('\r') || text.includes('\0')) throw malformed('a header must not hold CR or NUL')
  return text
}

/** Bytes that may be kept. A piece keeps the whole received buffer in memory, so a small one is copied. */
function keepable(piece: Uint8Array): Uint8Array {
  return piece.buffer.byteLength - piece.length > PINNED_BYTES ? new Uint8Array(piece) : piece
}

function bodyTooLarge(): ProtocolError {
  return new ProtocolError('body-too-large', 'the body is too large')
}

function bodyRefused(): ProtocolError {
  return malformed('only SEND may have a body')
}

function lineTooLong(): ProtocolError {
  return new ProtocolError('head-too-large', 'a header line is too long')
}

const FIRST_SIZE = 256

/** Bytes that arrive in pieces, up to a limit: the memory grows with the bytes, not with the number of pieces. */
export class Gathered {
  #bytes = NOTHING
  #length = 0

  get length(): number {
    return this.#length
  }

  /** @throws what `tooLarge` makes, once there are more bytes than the limit */
  add(piece: Uint8Array, limit: number, tooLarge: () => ProtocolError): void {
    const length = this.#length + piece.length
    if (length > limit) throw tooLarge()
    if (length > this.#bytes.length) this.#grow(length)
    this.#bytes.set(piece, this.#length)
    this.#length = length
  }

  /**
   * The bytes before a last piece together with it; then it is empty again. A single piece is returned without a copy.
   * @throws the error that `tooLarge` makes
   */
  end(piece: Uint8Array, limit: number, tooLarge: () => ProtocolError): Uint8Array {
    if (this.#length === 0 && piece.length <= limit) return piece
    this.add(piece, limit, tooLarge)
    return this.take()
  }

  /** What came, and begins again with no memory held. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#length)
    this.#bytes = NOTHING
    this.#length = 0
    return taken
  }

  #grow(length: number): void {
    const larger = new Uint8Array(Math.max(FIRST_SIZE, length, 2 * this.#bytes.length))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}
