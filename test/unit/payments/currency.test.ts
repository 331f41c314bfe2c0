import { expect, it } from 'vitest'
import { decimalsOf } from '../../../lib/payments/currency.ts'

it.each([
  ['USD', 2],
  ['EUR', 2],
  ['JPY', 0],
  ['KRW', 0],
  ['KWD', 3],
  ['BHD', 3],
  ['ISK', 2],
  ['UGX', 2],
  ['XXX', 2],
  ['constructor', 2],
  ['__proto__', 2],
])('%s has %i decimals', (currency, decimals) => {
  expect(decimalsOf(currency)).toBe(decimals)
})
