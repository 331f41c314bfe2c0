import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pick } from '../../../../lib/webhooks/find.ts'
import { parseJson } from '../../../../lib/webhooks/json.ts'
import { scannerOf } from '../../../../lib/webhooks/schemes/scan.ts'

const PATHS = [['a'], ['b', 'c'], ['b', 'd'], ['l', '0', 'a']] as const

const scan = scannerOf(PATHS)

const scanned = (text: string) => scan(Buffer.from(text))

describe('a scan finds the same values as a parser', () => {
  it.each<[string, string, readonly string[]]>([
    ['texts, numbers and booleans', '{"a":"x","b":{"c":1.50,"d":true},"l":[{"a":"y"}]}', ['x', '1.50', 'true', 'y']],
    ['between blanks', ' {\n"a" :\t"x" , "b" : { "c" : 12\r\n } } ', ['x', '12', '', '']],
    ['none for null, objects and lists', '{"a":null,"b":{"c":{},"d":[1]}}', ['', '', '', '']],
    ['none if there is none', '{}', ['', '', '', '']],
    [
      'after similar texts in other places',
      '{"x":{"a":"no"},"b":[{"c":"no"}],"y":"\\"a\\":\\"no\\"","a":"yes"}',
      ['yes', '', '', ''],
    ],
    ['after a list of others', '{"l":[{"a":"first"},{"a":"second"}],"a":1}', ['1', '', '', 'first']],
    ['after an empty object', '{"b":{},"a":"x"}', ['x', '', '', '']],
    ['without escapes', '{"a":"\\u00e9\\ud83d\\ude00\\/\\n\\\\\\""}', ['é😀/\n\\"', '', '', '']],
    ['the last of two', '{"a":"first","a":"last"}', ['last', '', '', '']],
    ['the last of two, whose name is escaped', '{"a":"first","\\u0061":"last"}', ['last', '', '', '']],
    ['under escaped names', '{"\\u0061":"x","b":{"\\u0063":"y"}}', ['x', 'y', '', '']],
    ['not under a name that contains the escape', '{"\\\\u0061":"no","\\u0061b":"no"}', ['', '', '', '']],
  ])('%s', (_, text, found) => {
    expect(scanned(text)).toEqual(found)
  })

  const scalar = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null))
  const names = fc.constantFrom('a', 'b', 'c', 'l', '"a"')
  const within = (value: fc.Arbitrary<unknown>) =>
    fc.oneof(scalar, fc.array(value, { maxLength: 2 }), fc.dictionary(names, value, { maxKeys: 3 }))
  const decoy = within(within(within(scalar)))
  const document = fc.record(
    {
      x: decoy,
      a: fc.oneof(scalar, decoy),
      b: fc.oneof(fc.record({ c: scalar, x: decoy, d: scalar }, { requiredKeys: [] }), decoy),
      l: fc.oneof(fc.array(fc.record({ a: scalar, x: decoy }, { requiredKeys: [] })), decoy),
    },
    { requiredKeys: [] },
  )

  it('in any JSON with unique names', () => {
    fc.assert(
      fc.property(document, fc.constantFrom('', ' ', '\n\t'), fc.boolean(), (value, blanks, isEscaped) => {
        const plain = JSON.stringify(value, undefined, blanks)
        const text = isEscaped ? plain.replaceAll('"a":', '"\\u0061":') : plain
        const payload = parseJson(Buffer.from(text))
        expect(scanned(text)).toEqual(PATHS.map((path) => pick(payload, path) ?? ''))
      }),
      { numRuns: 500 },
    )
  })
})

describe('a scan of a text that is not JSON', () => {
  const piece = fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', 'a', '"a":', '"b":{', '"l":[{', ' ', '1', 'é')

  it('ends, and throws nothing', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
        expect(scanned(pieces.join(''))).toHaveLength(PATHS.length)
      }),
      { numRuns: 500 },
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => scan(Buffer.from(bytes)).length === PATHS.length),
    )
  })

  it('passes once over lists and objects of any depth', () => {
    for (const deep of ['['.repeat(200_000), '{"b":'.repeat(50_000), '{"l":['.repeat(40_000), '[{'.repeat(100_000)]) {
      expect(scanned(`{"a":"x","b":${deep}`)).toEqual(['x', '', '', ''])
    }
  })
})
