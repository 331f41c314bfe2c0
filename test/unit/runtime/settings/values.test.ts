import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimal, listOf, whole } from '../../../../lib/runtime/settings/values.ts'

describe('a whole number', () => {
  it.each(['1', '007', '10'])('is written in digits: %s', (text) => {
    expect(whole(1, 10).read(text)).toBe(Number(text))
  })

  it.each(['', ' 1', '1.5', '-1', '1e1', '0', '11', '٣', '9'.repeat(400)])(
    'is nothing else, and never outside of its bounds: %s',
    (text) => {
      expect(() => whole(1, 10).read(text)).toThrow(/^must be/)
    },
  )
})

describe('a decimal number', () => {
  it.each([
    ['0.05', 0.05],
    ['5', 5],
    ['10.0', 10],
  ])('may be a fraction: %s', (text, value) => {
    expect(decimal(0, 10).read(text)).toBe(value)
  })

  it.each(['.5', '5.', '1,5', '-0.1', '10.01', 'Infinity'])('is nothing else: %s', (text) => {
    expect(() => decimal(0, 10).read(text)).toThrow(/^must be/)
  })

  it('is String’s form of a number within bounds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), (hundredths) => {
        expect(decimal(0, 100).read(String(hundredths / 100))).toBe(hundredths / 100)
      }),
    )
  })
})

describe('a list', () => {
  it('ignores blanks around its elements, and empty elements', () => {
    expect(listOf(' a, b ,,c,')).toEqual(['a', 'b', 'c'])
    expect(listOf(' ')).toEqual([])
  })
})
