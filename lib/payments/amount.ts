import { Big } from 'big.js'

/** Limits of DynamoDB: 38 significant digits, exponents from -130 to 125. */
const MAXIMUM_DIGITS = 38
const MAXIMUM_EXPONENT = 125
const MINIMUM = new Big('0.01')

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/
const PLAIN = /^\d+(\.\d+)?$/
const MAXIMUM_LENGTH = 256

/**
 * A payment amount in plain notation with the scale as sent (`10.00` stays `10.00`, `1e2` becomes `100`).
 * Undefined for text that is no decimal number, is below 0.01 (webhooks-32) or has more digits than the store keeps.
 */
export function toAmount(text: string): string | undefined {
  if (text.length > MAXIMUM_LENGTH || !NUMBER.test(text)) return undefined
  const value = new Big(text)
  if (value.lt(MINIMUM) || value.c.length > MAXIMUM_DIGITS || value.e > MAXIMUM_EXPONENT) return undefined
  return PLAIN.test(text) ? text.replace(/^0+(?=\d)/, '') : value.toFixed()
}

/** Whether two amounts are the same number, whatever their scale. */
export function isSameAmount(one: string, other: string): boolean {
  return new Big(one).eq(other)
}

/** Converts a whole number of minor units into an amount in major units. Undefined where {@link toAmount} is. */
export function fromMinorUnits(minorUnits: string, decimals: number): string | undefined {
  if (minorUnits.length > MAXIMUM_LENGTH || !/^\d+$/.test(minorUnits)) return undefined
  return toAmount(new Big(minorUnits).div(new Big(10).pow(decimals)).toFixed(decimals))
}
