import type { Buffer } from 'node:buffer'
import { crc32 } from 'node:zlib'

/** Letters that are free to choose: more than the 32 bits that have to fit, so that nearly any choice of them does. */
const LETTERS = 48

/**
 * Another body with the CRC-32 of one that is known. The checksum is linear: which letter changes which of its bits adds
 * up, so the right letters are the solution of 32 equations.
 * @param write the body with these letters somewhere in it
 */
export function withCrcOf(known: Buffer, write: (letters: string) => Buffer): Buffer {
  const plain = Array<string>(LETTERS).fill('@')
  const bodyOf = (letters: readonly string[]) => write(letters.join(''))
  const changes = plain.map((_, index) => crc32(bodyOf(plain.with(index, 'A'))) ^ crc32(bodyOf(plain)))
  const chosen = solve(changes, crc32(known) ^ crc32(bodyOf(plain)))
  return bodyOf(plain.map((letter, index) => ((chosen >> BigInt(index)) & 1n ? 'A' : letter)))
}

/** Which of the changes add up, bit by bit, to the wanted one: a set of numbers, as the bits of one. */
function solve(changes: readonly number[], wanted: number): bigint {
  const basis = new Map<number, { readonly change: number; readonly made: bigint }>()
  const reduce = (change: number, made: bigint) => {
    let left = { change: change >>> 0, made }
    for (let bit = 31; bit >= 0; bit--) {
      const row = (left.change >>> bit) & 1 ? basis.get(bit) : undefined
      if (row) left = { change: (left.change ^ row.change) >>> 0, made: left.made ^ row.made }
    }
    return left
  }
  for (const [index, change] of changes.entries()) {
    const left = reduce(change, 1n << BigInt(index))
    if (left.change !== 0) basis.set(31 - Math.clz32(left.change), left)
  }
  const { change, made } = reduce(wanted, 0n)
  if (change !== 0) throw new Error('no choice of letters has that checksum')
  return made
}
