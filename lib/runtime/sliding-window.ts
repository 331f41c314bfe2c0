/**
 * A window of fixed length in which something is counted. The count slides: what was counted in the window before weighs
 * as much as the part of that window that is less than one length ago. Times are milliseconds since the epoch.
 */
export interface Window {
  readonly start: number
  readonly length: number
  /** What was counted in the window before. */
  readonly before: number
}

/** When the count may reach a number without exceeding the limit; beyond the end of the window for one above the limit. */
export function opensAt({ start, length, before }: Window, number: number, limit: number): number {
  const excess = before + number - limit
  return start + (excess > 0 ? Math.ceil((length * excess) / before) : 0)
}

/** The highest number that the count may reach at a time within the window; less than 1 when it may reach none. */
export function openAt({ start, length, before }: Window, at: number, limit: number): number {
  return limit - Math.ceil((before * (start + length - at)) / length)
}

/** When the count may grow by one; that is in the next window once it has reached the limit. */
export function nextOpensAt(window: Window, count: number, limit: number): number {
  const { start, length } = window
  return count < limit
    ? opensAt(window, count + 1, limit)
    : opensAt({ start: start + length, length, before: count }, 1, limit)
}
