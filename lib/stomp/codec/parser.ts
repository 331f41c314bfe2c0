import { Buffer } from 'node:buffer'
import { fromUtf8 } from '../../platform/utf8.ts'
import { escapesOf, unescapeHeader } from './escapes.ts'
import { type Command, type Frame, isCommand, mayHaveBody } from './frame.ts'
import { Gathered } from './gathered.ts'
import { malformed, ProtocolError } from './protocol-error.ts'
import type { Version } from './versions.ts'

export interface FrameLimits {
  readonly lineBytes: number
  readonly headers: number
  readonly bodyBytes: number
}

export const FRAME_LIMITS: FrameLimits = { lineBytes: 8192, headers: 64, bodyBytes: 65_536 }

const NOTHING = new Uint8Array(0)

const NUL = 0
const LF = 10
const CR = 13

/** Eats of the bytes from an index on, and tells where it stopped; to leave a state is to set the next one. */
type State = (bytes: Uint8Array, from: number) => number

/**
 * Reads frames from bytes in pieces of any size. Line ends are LF or CRLF, heart-beats between frames are skipped. Beside
 * what was pushed and not asked for yet, it holds no more than one frame within the limits.
 */
export class Parser {
  /** Decides which escapes headers have; known once CONNECT was read. */
  version: Version = '1.2'
  readonly #limits: FrameLimits
  readonly #gathered = new Gathered()
  /** Let go once it is read: a piece of a message pins the whole buffer that it came in. */
  #bytes: Uint8Array = NOTHING
  #from = 0
  #state: State
  #command: Command = 'CONNECT'
  #headers = new Map<string, string>()
  #headerLines = 0
  #bodyBytes = 0
  #frame: Frame | undefined

  constructor(limits: FrameLimits = FRAME_LIMITS) {
    this.#limits = limits
    this.#state = this.#betweenFrames
  }

  push(bytes: Uint8Array): void {
    const unread = this.#bytes.subarray(this.#from)
    this.#bytes = unread.length === 0 ? bytes : Buffer.concat([unread, bytes])
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
    this.#bytes = NOTHING
    this.#from = 0
    return undefined
  }

  readonly #betweenFrames: State = (bytes, from) => {
    let at = from
    while (bytes[at] === LF || bytes[at] === CR) at += 1
    if (at < bytes.length) this.#state = this.#commandLine
    return at
  }

  readonly #commandLine: State = (bytes, from) => this.#line(bytes, from, this.#readCommand)

  readonly #headerLine: State = (bytes, from) => this.#line(bytes, from, this.#readHeader)

  #line(bytes: Uint8Array, from: number, read: (line: string) => void): number {
    const end = bytes.indexOf(LF, from)
    const to = end < 0 ? bytes.length : end
    this.#gathered.add(bytes.subarray(from, to), this.#limits.lineBytes, lineTooLong)
    if (end < 0) return to
    read(this.#takeLine())
    return end + 1
  }

  #takeLine(): string {
    const line = fromUtf8(this.#gathered.take())
    if (line === undefined) throw malformed('a header must be UTF-8')
    const text = line.endsWith('\r') ? line.slice(0, -1) : line
    if (text.includes('\r') || text.includes('\0')) throw malformed('a header must not hold CR or NUL')
    return text
  }

  readonly #readCommand = (line: string): void => {
    if (!isCommand(line)) throw malformed('the command is not known')
    this.#command = line
    this.#headers = new Map()
    this.#headerLines = 0
    this.#state = this.#headerLine
  }

  readonly #readHeader = (line: string): void => {
    if (line === '') this.#beginBody()
    else this.#addHeader(line)
  }

  #addHeader(line: string): void {
    this.#headerLines += 1
    if (this.#headerLines > this.#limits.headers) throw new ProtocolError('head-too-large', 'too many headers')
    const colon = line.indexOf(':')
    if (colon < 1) throw malformed('a header must have a name and a colon')
    const name = this.#header(line.slice(0, colon))
    if (!this.#headers.has(name)) this.#headers.set(name, this.#header(line.slice(colon + 1)))
  }

  /** Blanks around names and values count, but in 1.0. */
  #header(text: string): string {
    const unescaped = unescapeHeader(text, escapesOf(this.#command, this.version))
    return this.version === '1.0' ? unescaped.trim() : unescaped
  }

  #beginBody(): void {
    const written = this.#headers.get('content-length')
    if (written === undefined) {
      this.#state = this.#bodyToNul
      return
    }
    if (!/^\d{1,9}$/.test(written)) throw malformed('content-length must be a number')
    this.#bodyBytes = Number(written)
    if (this.#bodyBytes > this.#bodyLimit) throw this.#bodyTooLarge()
    this.#state = this.#sizedBody
  }

  readonly #bodyToNul: State = (bytes, from) => {
    const end = bytes.indexOf(NUL, from)
    const to = end < 0 ? bytes.length : end
    this.#gatherBody(bytes.subarray(from, to))
    if (end < 0) return to
    this.#endFrame()
    return end + 1
  }

  readonly #sizedBody: State = (bytes, from) => {
    const to = Math.min(bytes.length, from + this.#bodyBytes - this.#gathered.length)
    this.#gatherBody(bytes.subarray(from, to))
    if (this.#gathered.length === this.#bodyBytes) this.#state = this.#nul
    return to
  }

  readonly #nul: State = (bytes, from) => {
    if (bytes[from] !== NUL) throw malformed('NUL must follow the body')
    this.#endFrame()
    return from + 1
  }

  #gatherBody(piece: Uint8Array): void {
    this.#gathered.add(piece, this.#bodyLimit, this.#bodyTooLarge)
  }

  get #bodyLimit(): number {
    return mayHaveBody(this.#command) ? this.#limits.bodyBytes : 0
  }

  readonly #bodyTooLarge = (): ProtocolError =>
    mayHaveBody(this.#command)
      ? new ProtocolError('body-too-large', 'the body is too large')
      : malformed('only SEND may have a body')

  #endFrame(): void {
    this.#frame = { command: this.#command, headers: this.#headers, body: this.#gathered.take() }
    this.#state = this.#betweenFrames
  }
}

function lineTooLong(): ProtocolError {
  return new ProtocolError('head-too-large', 'a header line is too long')
}
