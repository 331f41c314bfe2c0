const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const

/** A duration in its two largest units: "14 ms", "0.5 s", "4 min 12 s", "1 h 5 min". */
export function duration(milliseconds: number): string {
  if (milliseconds < 100) return `${milliseconds} ms`
  if (milliseconds < 60_000) return `${Number((milliseconds / 1000).toFixed(1))} s`
  const index = UNITS.findIndex(([, length]) => milliseconds >= length)
  const [unit, length] = UNITS[index] ?? UNITS[2]
  const [smaller, part] = UNITS[index + 1] ?? ['s', 1000]
  const rest = Math.floor((milliseconds % length) / part)
  return `${Math.floor(milliseconds / length)} ${unit}${rest === 0 ? '' : ` ${rest} ${smaller}`}`
}
