import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromUtf8 } from '../../../lib/runtime/utf8.ts'
import { anyText } from '../../support/any-text.ts'

const reference = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function referenceOf(bytes: Uint8Array): string | undefined {
  try {
    return reference.decode(bytes)
  } catch {
    return undefined
  }
}

const pieces = fc.oneof(
  fc.uint8Array({ maxLength: 8 }),
  anyText({ maxLength: 8 }).map((text) => new TextEncoder().encode(text)),
  // Replacement character, byte order mark, surrogate, overlong, beyond Unicode, cut off.
  fc
    .constantFrom('efbfbd', 'efbbbf', 'eda080', 'c0af', 'f4908080', 'e282')
    .map((hex) => new Uint8Array(Buffer.from(hex, 'hex'))),
)
const bytes = fc.array(pieces, { maxLength: 6 }).map((all) => new Uint8Array(Buffer.concat(all)))

describe('text equals that of the strict platform decoder', () => {
  it('of any bytes', () => {
    fc.assert(
      fc.property(bytes, (given) => {
        expect(fromUtf8(given)).toBe(referenceOf(given))
        expect(fromUtf8(Buffer.from(given))).toBe(referenceOf(given))
      }),
      { numRuns: 2000 },
    )
  })

  it('of any part of them', () => {
    fc.assert(
      fc.property(bytes, fc.nat(20), fc.nat(20), (given, from, length) => {
        const [start, end] = [Math.min(from, given.length), Math.min(from + length, given.length)]
        expect(fromUtf8(given, start, end)).toBe(referenceOf(given.slice(start, end)))
      }),
      { numRuns: 2000 },
    )
  })
})
