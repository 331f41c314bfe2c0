import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repeatedNames } from '../../../lib/runtime/repeated-names.ts'

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
