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
