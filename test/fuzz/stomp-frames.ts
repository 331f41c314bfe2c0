import { Buffer } from 'node:buffer'
import { type Frame, mayHaveBody } from '../../lib/stomp/codec/frame.ts'
import { FRAME_LIMITS, Parser } from '../../lib/stomp/codec/parser.ts'
import { ProtocolError } from '../../lib/stomp/codec/protocol-error.ts'
import { VERSIONS } from '../../lib/stomp/codec/versions.ts'
import { type Random, seeded } from '../support/random.ts'

type Some<T> = readonly [T, ...T[]]

const bytesOf = (text: string) => Buffer.from(text)

const SEEDS: Some<Buffer> = [
  bytesOf('CONNECT\naccept-version:1.0,1.1,1.2\nheart-beat:10000,10000\nAuthorization:Bearer a.b.c\n\n\0'),
  bytesOf('STOMP\r\naccept-version:1.2\r\nhost:x\r\n\r\n\0\r\n'),
  bytesOf('SEND\ndestination:/topic/public/a\ncontent-length:5\nreceipt:r1\n\nab\0de\0'),
  bytesOf('SEND\ndestination:/topic/public/a\nx:\\n\\c\\\\\\r\nx:second\n\nhello ✓\0\n\n'),
  bytesOf('SUBSCRIBE\nid:0\ndestination:/topic/public/a\nack:client-individual\n\n\0'),
  bytesOf('ACK\nid:1-1\ntransaction:t\n\n\0'),
  bytesOf('\n\nBEGIN\ntransaction:t\n\n\0COMMIT\ntransaction:t\n\n\0'),
  bytesOf('DISCONNECT\nreceipt:bye\n\n\0'),
]

const TOKENS: Some<Buffer> = [
  Buffer.from([0xff]),
  Buffer.alloc(9000, 'a'),
  ...['\0', '\n', '\r', '\r\n', ':', '\\', '\\x', 'content-length:', '999999999', '-1', '\ufeff', 'SEND', 'é'].map(
    bytesOf,
  ),
]

type Mutation = (bytes: Uint8Array, random: Random) => Uint8Array

const MUTATIONS: Some<Mutation> = [
  (bytes, random) => splice(bytes, random, 0, Buffer.from([random.between(0, 255)])),
  (bytes, random) => splice(bytes, random, 1, Buffer.from([random.between(0, 255)])),
  (bytes, random) => splice(bytes, random, random.between(1, 4), Buffer.alloc(0)),
  (bytes, random) => splice(bytes, random, 0, random.pick(TOKENS)),
  (bytes, random) => splice(bytes, random, 0, random.pick(SEEDS)),
  (bytes, random) => bytes.subarray(0, random.between(0, bytes.length)),
]

function splice(bytes: Uint8Array, random: Random, removed: number, inserted: Uint8Array): Uint8Array {
  const at = random.between(0, bytes.length)
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + removed)])
}

/** Bytes that are nearly frames. */
function nearlyFrames(random: Random): Uint8Array {
  let bytes: Uint8Array = Buffer.concat([random.pick(SEEDS), random.pick(SEEDS)])
  for (let count = random.between(0, 3); count >= 0; count--) bytes = random.pick(MUTATIONS)(bytes, random)
  return bytes
}

interface Tally {
  frames: number
  refused: number
}

/**
 * Feeds as many inputs as `count` to the parser, in pieces of random size.
 * @throws Error that names the seed of an input which the parser did not take as it should
 */
export function fuzzFrames(count: number, firstSeed = 1): Tally {
  const tally: Tally = { frames: 0, refused: 0 }
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    try {
      feed(seeded(seed), tally)
    } catch (cause) {
      throw new Error(`the input of seed ${seed} breaks the parser`, { cause })
    }
  }
  return tally
}

function feed(random: Random, tally: Tally): void {
  const parser = new Parser()
  parser.version = random.pick(VERSIONS)
  const bytes = nearlyFrames(random)
  try {
    for (let from = 0; from < bytes.length; ) {
      const to = from + random.between(1, 64)
      parser.push(bytes.subarray(from, to))
      from = to
      for (let frame = parser.next(); frame; frame = parser.next()) {
        hold(frame)
        tally.frames += 1
      }
    }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    tally.refused += 1
  }
}

/** What a session relies on. */
function hold({ command, headers, body }: Frame): void {
  if (headers.size > FRAME_LIMITS.headers || body.length > FRAME_LIMITS.bodyBytes) throw new Error('beyond the limits')
  if (body.length > 0 && !mayHaveBody(command)) throw new Error(`${command} with a body`)
}
