/** In minutes. */
const UNITS: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1440 }

const SPAN = /^([1-9]\d{0,4})([mhd])$/

/** A span of time in milliseconds: `90m`, `2h` or `7d`; NaN for any other text. */
export function spanMs(text: string): number {
  const [, count, unit = ''] = SPAN.exec(text) ?? []
  return Number(count) * (UNITS[unit] ?? Number.NaN) * 60_000
}
