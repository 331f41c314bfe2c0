import { expect, it } from 'vitest'
import { decimalsOf } from '../../../lib/payments/payment.ts'

it.each([
  ['USD', 2],
  ['JPY', 0],
  ['KWD', 3],
  ['ISK', 2],
  ['constructor', 2],
])('%s has %i decimals', (currency, decimals) => {
  expect(decimalsOf(currency)).toBe(decimals)
})
