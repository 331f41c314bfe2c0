import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromMinorUnits, isSameAmount, toAmount } from '../../../lib/payments/payment.ts'

const DIGITS_38 = '1234567890'.repeat(4).slice(0, 38)

describe('an amount', () => {
  it.each([
    ['0.01', '0.01'],
    ['0.010', '0.010'],
    ['1e2', '100'],
    ['1.5e1', '15'],
    ['007.50', '7.50'],
    [DIGITS_38, DIGITS_38],
    [`0.${DIGITS_38}`, `0.${DIGITS_38}`],
    [`1${'0'.repeat(125)}`, `1${'0'.repeat(125)}`],
    ['1e125', `1${'0'.repeat(125)}`],
  ])('%s is stored as %s', (text, stored) => {
    expect(toAmount(text)).toBe(stored)
  })

  it.each([
    ['zero', '0'],
    ['less than 0.01', '0.009'],
    ['less than 0.01 by one digit of many', '0.00999999999999999999999999999999999999'],
    ['a power of ten that is rounded to zero', '1e-999999'],
    ['less than zero', '-1'],
    ['39 digits', `${DIGITS_38}1`],
    ['an exponent above 125', '1e126'],
    ['an exponent of many digits', `1e${'9'.repeat(200)}`],
    ['an empty text', ''],
    ['a plus', '+1'],
    ['followed by a newline', '1\n'],
    ['no digit before the point', '.5'],
    ['digits of another alphabet', '١'],
    ['more than 256 characters', '1'.padStart(257, '0')],
  ])('is not %s', (_, text) => {
    expect(toAmount(text)).toBeUndefined()
  })

  it('has one value in every notation', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 20n }), fc.integer({ min: 0, max: 50 }), (digits, exponent) => {
        expect(toAmount(`${digits}e${exponent}`)).toBe(`${digits}${'0'.repeat(exponent)}`)
      }),
    )
  })

  it('is, for any text, stable plain notation, or undefined', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^-?[0-9]{1,45}(\.[0-9]{1,45})?([eE][+-]?[0-9]{1,4})?$/))
    fc.assert(
      fc.property(text, (given) => {
        const amount = toAmount(given)
        if (amount === undefined) return
        expect(amount).toMatch(/^\d+(\.\d+)?$/)
        expect(toAmount(amount)).toBe(amount)
        expect(isSameAmount(amount, given)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('two amounts', () => {
  it.each([
    ['10', '10.00', true],
    ['0.1', '0.10', true],
    ['0.1', '0.11', false],
    ['12345678901234567890.01', '12345678901234567890.02', false],
  ])('%s and %s are the same: %s', (one, other, answer) => {
    expect(isSameAmount(one, other)).toBe(answer)
    expect(isSameAmount(other, one)).toBe(answer)
  })
})

describe('an amount in minor units', () => {
  it.each([
    ['1099', 2, '10.99'],
    ['1', 2, '0.01'],
    ['1234', 3, '1.234'],
    [DIGITS_38, 2, `${DIGITS_38.slice(0, -2)}.${DIGITS_38.slice(-2)}`],
  ])('%s with %i decimals is %s', (units, decimals, amount) => {
    expect(fromMinorUnits(units, decimals)).toBe(amount)
  })

  it.each([
    ['0', 2],
    ['9', 3],
    ['1e3', 2],
    ['1'.repeat(257), 0],
  ])('%s with %i decimals is undefined', (units, decimals) => {
    expect(fromMinorUnits(units, decimals)).toBeUndefined()
  })
})
