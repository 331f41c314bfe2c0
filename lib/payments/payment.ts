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

/**
 * Decimals of the currencies whose minor unit is not a hundredth, as in Stripe's amounts. Source:
 * docs.stripe.com/currencies, "Zero-decimal currencies" and "Three-decimal currencies" (which keep ISK and UGX in
 * hundredths for compatibility).
 */
const DECIMALS: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  MGA: 0,
  PYG: 0,
  RWF: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  JOD: 3,
  KWD: 3,
  OMR: 3,
  TND: 3,
}

/** How many decimals Stripe's integer amounts have in a currency (ISO 4217 code, upper case). */
export function decimalsOf(currency: string): number {
  return Object.hasOwn(DECIMALS, currency) ? (DECIMALS[currency] ?? 2) : 2
}

/** A later status with a higher rank replaces the stored one; the order of arrival does not matter. */
export const RANK = { FAILED: 1, COMPLETED: 2, REFUNDED: 3 } as const

export type PaymentStatus = keyof typeof RANK

/** The change of a payment that an event describes. */
export interface PaymentChange {
  readonly transactionId: string
  readonly status: PaymentStatus
  readonly orderId?: string | undefined
  readonly currency: string
  /** Plain decimal text. */
  readonly amount?: string | undefined
  readonly customerId?: string | undefined
}

/** A payment transaction as stored (webhooks-65). */
export type Payment = PaymentChange

/** `advance` sets the new status; `fill` only adds what the stored payment lacks. */
export interface PaymentWrite {
  readonly mode: 'advance' | 'fill'
  /** Whether a `fill` adds anything to the stored payment. */
  readonly adds?: boolean | undefined
  readonly change: PaymentChange
}

export type Judgement = 'advances' | 'superseded' | 'mismatch'

/** Compares a change with the stored payment of the same transactionId. */
export function judgePayment(stored: Payment, change: PaymentChange): Judgement {
  const isOther =
    stored.currency !== change.currency ||
    (stored.orderId !== undefined && change.orderId !== undefined && stored.orderId !== change.orderId)
  if (isOther) return 'mismatch'
  return RANK[change.status] > RANK[stored.status] ? 'advances' : 'superseded'
}

/** Whether both have an amount and the two differ. */
export function amountsConflict(stored: Payment, change: PaymentChange): boolean {
  return stored.amount !== undefined && change.amount !== undefined && !isSameAmount(stored.amount, change.amount)
}
