import { Buffer } from 'node:buffer'
import type { Random } from '../support/random.ts'

/** Pieces that parsers trip over. */
const PIECES = [
  ...['', ' ', ',', ';', '=', '.', ':', '|', '%', '&', '+', '-', '/', '_', '"', "'", '\\', '\n', '\r\n', '\t', '\0'],
  ...['0', '9', 'a', 'F', 'é', '\ufeff', '\ud83d\ude00', '%00', '%2F', '==', '{}', '[]', '{"', '"}'],
  ...['t=', 't=0', 'v0=', 'v1=', 'v1,', 'v1a,', 'sha1=', 'sha256=', 'ts=1', 'h1=', ',v1=', ', v1=', ' v1,', ',t=1'],
  ...['null', 'true', '1e400', '-1', 'NaN', '"__proto__":{},', '"signature":{},', 'a=1&', 'Z', '.5Z'],
  'x'.repeat(300),
].map((text) => Buffer.from(text))

/** Longer ones say nothing new, and take long. */
const MAXIMUM_BYTES = 16_384

type Change = (bytes: Buffer, random: Random, pieces: readonly Buffer[]) => Buffer

const CHANGES: readonly Change[] = [
  function flip(bytes, random) {
    const changed = Buffer.from(bytes)
    const place = random.below(changed.length || 1)
    if (changed.length > 0) changed.writeUInt8(changed.readUInt8(place) ^ (1 << random.below(8)), place)
    return changed
  },
  function insert(bytes, random, pieces) {
    return splice(bytes, random.below(bytes.length + 1), 0, random.pick(pieces))
  },
  function overwrite(bytes, random, pieces) {
    return splice(bytes, random.below(bytes.length + 1), random.below(4), random.pick(pieces))
  },
  function put(bytes, random) {
    return splice(bytes, random.below(bytes.length + 1), random.below(2), Buffer.of(random.below(256)))
  },
  function remove(bytes, random) {
    return splice(bytes, random.below(bytes.length + 1), 1 + random.below(3), Buffer.alloc(0))
  },
  function cut(bytes, random) {
    return bytes.subarray(0, random.below(bytes.length + 1))
  },
  function double(bytes, random) {
    const place = random.below(bytes.length + 1)
    return splice(bytes, place, 0, bytes.subarray(place, place + 1 + random.below(40)))
  },
  function move(bytes, random) {
    const place = random.below(bytes.length + 1)
    const piece = bytes.subarray(place, place + 1 + random.below(8))
    const rest = splice(bytes, place, piece.length, Buffer.alloc(0))
    return splice(rest, random.below(rest.length + 1), 0, piece)
  },
  function repeat(bytes, random, pieces) {
    return Buffer.concat([bytes, random.pick(pieces), bytes])
  },
  function append(bytes, random, pieces) {
    return Buffer.concat([bytes, random.pick(pieces)])
  },
  function multiply(bytes, random, pieces) {
    const piece = random.pick(pieces)
    const many = Buffer.alloc(piece.length * (1 << random.below(8)), piece.length > 0 ? piece : 0)
    return splice(bytes, random.below(bytes.length + 1), 0, many)
  },
  function recase(bytes, random) {
    const text = bytes.toString('latin1')
    return Buffer.from(random.below(2) ? text.toUpperCase() : text.toLowerCase(), 'latin1')
  },
  function count(bytes, random) {
    const text = bytes.toString('latin1').replace(/\d(?=\D*$)/, () => String(random.below(10)))
    return Buffer.from(text, 'latin1')
  },
]

/** The bytes with one change, which may change nothing. */
export function changedBytes(bytes: Buffer, random: Random, pieces: readonly Buffer[] = PIECES): Buffer {
  return random.pick(CHANGES)(bytes, random, pieces).subarray(0, MAXIMUM_BYTES)
}

/** The usual pieces, and more often those of a dictionary. */
export function piecesOf(dictionary: readonly string[]): readonly Buffer[] {
  const own = dictionary.map((text) => Buffer.from(text))
  return own.length === 0 ? PIECES : [...PIECES, ...own, ...own, ...own]
}

function splice(bytes: Buffer, place: number, length: number, piece: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, place), piece, bytes.subarray(place + length)])
}
