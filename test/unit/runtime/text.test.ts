import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromUtf8, repeatedNames, shapeOf, visible } from '../../../lib/runtime/text.ts'
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

describe('the repeated names at the top of a JSON object', () => {
  it.each([
    ['one, in another escape', '{"password":1,"p\\u0061ssword":2}', ['password']],
    ['one, with blanks', '{ "a" : 1 ,\n"a"\t: 2 }', ['a']],
    ['one that occurs three times, and another', '{"a":1,"a":2,"":1,"a":3,"":2}', ['a', '']],
    ['not those of a nested object', '{"a":{"b":1,"b":2},"b":[{"a":1}]}', []],
    ['not a text that resembles one', '{"a":"b","b":"\\"a\\":1,{","c":"}"}', []],
    ['__proto__', '{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['none without an object', '["a","a"]', []],
  ])('%s', (_, text, names) => {
    expect([...repeatedNames(text)]).toEqual(names)
  })

  it('exist exactly if the names are fewer as a set', () => {
    const members = fc.array(fc.tuple(fc.constantFrom('a', 'b', '"', '\\', '{:'), fc.json()), { maxLength: 6 })
    fc.assert(
      fc.property(members, (pairs) => {
        const text = `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
        const different = new Set(pairs.map(([name]) => name)).size
        expect(repeatedNames(text).size > 0).toBe(different < pairs.length)
      }),
    )
  })

  it.each([`{"a":"${'\\\\'.repeat(500_000)}"}`, `{"${'\\"'.repeat(500_000)}`, `{"${'\\'.repeat(500_001)}`])(
    'are found in linear time: %#',
    (text) => {
      expect(repeatedNames(text).size).toBe(0)
    },
  )
})

describe('the shape of a JSON text', () => {
  it.each([
    ['{}', 1, 0],
    ['[[1],{"a":{"b":[]}}]', 4, 2],
    ['{"a":":{[","b":"]}"}', 1, 2],
    [String.raw`{"a\\":"\"[","b":"\\\"{:"}`, 1, 2],
    ['{"a', 1, 0],
    [`{"${'\\"'.repeat(500_000)}`, 1, 0],
  ])('of %.20s is a depth of %d and %d members', (text, depth, members) => {
    expect(shapeOf(text)).toEqual({ depth, members })
  })

  it('has as many members as a parser finds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        let members = 0
        JSON.parse(JSON.stringify(value), function (_key, inner) {
          if (!Array.isArray(this)) members++
          return inner
        })
        expect(shapeOf(JSON.stringify(value)).members).toBe(members - 1)
      }),
    )
  })
})

describe('a visible text', () => {
  it.each(['plain', 'Größe · ½', '日本 🎉', ''])('is as it was: %s', (text) => {
    expect(visible(text)).toBe(text)
  })

  it.each(['\0', '\x1f', '\x7f', '\x9f', '\u00ad', '\u200b', '\u2028', '\u202e', '\ufeff', '\ud800'])(
    'shows %j as a replacement character',
    (character) => {
      expect(visible(`a${character}b`)).toBe('a\ufffdb')
    },
  )
})
