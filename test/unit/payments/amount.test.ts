import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromMinorUnits, isSameAmount, toAmount } from '../../../lib/payments/amount.ts'

const DIGITS_38 = '1234567890'.repeat(4).slice(0, 38)

describe('an amount', () => {
  it.each([
    ['10.00', '10.00'],
    ['0.01', '0.01'],
    ['0.010', '0.010'],
    ['1', '1'],
    ['100', '100'],
    ['1e2', '100'],
    ['1E+2', '100'],
    ['1.5e1', '15'],
    ['1e-2', '0.01'],
    ['1e21', '1000000000000000000000'],
    ['007.50', '7.50'],
    ['00.50', '0.50'],
    ['0.1', '0.1'],
    ['99999999999999.99', '99999999999999.99'],
    ['12345678901234567890.12', '12345678901234567890.12'],
    [DIGITS_38, DIGITS_38],
    [`0.${DIGITS_38}`, `0.${DIGITS_38}`],
    [`1${'0'.repeat(125)}`, `1${'0'.repeat(125)}`],
    ['1e125', `1${'0'.repeat(125)}`],
  ])('%s is stored as %s', (text, stored) => {
    expect(toAmount(text)).toBe(stored)
  })

  it.each([
    ['zero', '0'],
    ['zero with a scale', '0.00'],
    ['less than 0.01', '0.009'],
    ['less than 0.01 by one digit of many', '0.00999999999999999999999999999999999999'],
    ['a small power of ten', '1e-3'],
    ['a power of ten that is rounded to zero', '1e-999999'],
    ['less than zero', '-1'],
    ['less than zero by little', '-0.01'],
    ['39 digits', `${DIGITS_38}1`],
    ['39 digits with a point', `1.${DIGITS_38}`],
    ['an exponent above 125', '1e126'],
    ['an exponent of six digits', '1e999999'],
    ['an exponent of many digits', `1e${'9'.repeat(200)}`],
    ['an empty text', ''],
    ['NaN', 'NaN'],
    ['Infinity', 'Infinity'],
    ['a hexadecimal number', '0x10'],
    ['a plus', '+1'],
    ['preceded by a blank', ' 1'],
    ['followed by a newline', '1\n'],
    ['a comma', '1,00'],
    ['groups', '1_000'],
    ['no digit before the point', '.5'],
    ['no digit after the point', '5.'],
    ['two points', '1.2.3'],
    ['digits of another alphabet', '١'],
    ['more than 256 characters', '1'.padStart(257, '0')],
    ['words', 'ten'],
  ])('is not %s', (_, text) => {
    expect(toAmount(text)).toBeUndefined()
  })

  it('keeps every digit of a plain decimal', () => {
    const decimals = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 30n - 1n }), fc.nat(99_999_999))
    fc.assert(
      fc.property(decimals, ([whole, fraction]) => {
        const text = `${whole}.${String(fraction).padStart(8, '0')}`
        expect(toAmount(text)).toBe(text)
      }),
    )
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
    ['1000', 2, '10.00'],
    ['1', 2, '0.01'],
    ['500', 0, '500'],
    ['1234', 3, '1.234'],
    ['10', 3, '0.010'],
    [DIGITS_38, 2, `${DIGITS_38.slice(0, -2)}.${DIGITS_38.slice(-2)}`],
  ])('%s with %i decimals is %s', (units, decimals, amount) => {
    expect(fromMinorUnits(units, decimals)).toBe(amount)
  })

  it.each([
    ['0', 2],
    ['9', 3],
    ['-100', 2],
    ['10.5', 2],
    ['1e3', 2],
    ['', 2],
    ['1'.repeat(257), 0],
  ])('%s with %i decimals is undefined', (units, decimals) => {
    expect(fromMinorUnits(units, decimals)).toBeUndefined()
  })
})
