export function shareOf(part: number, whole: number): string {
  const percent = (100 * part) / whole
  // What is not all is not rounded to all.
  return `${part === whole ? 100 : Math.min(99.9, Number(percent.toPrecision(3)))} %`
}

export function span(seconds: number): string {
  if (seconds < 600) return `${number(seconds)} s`
  return seconds < 7200 ? `${number(seconds / 60)} min` : `${number(seconds / 3600)} h`
}

export function number(amount: number): string {
  return amount.toLocaleString('en', { maximumSignificantDigits: amount < 100 ? 2 : 3 })
}
