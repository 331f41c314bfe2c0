/** A source of the time: only this file reads the system's clocks. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** Monotonic time, for measuring durations: it never jumps, but drifts away from the system's clock. */
export const steadyClock: Clock = { now: () => new Date(performance.timeOrigin + performance.now()) }

/** A clock that shows the earlier time of two: a time is over only once both say so. */
export function earlierOf(one: Clock, other: Clock): Clock {
  return { now: () => new Date(Math.min(one.now().getTime(), other.now().getTime())) }
}

/** A local date-time as it is emitted: UTC, milliseconds, no zone. */
export function toLocalDateTime(date: Date): string {
  return date.toISOString().slice(0, -1)
}

const FORM = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?Z?$/

/**
 * Reads a local date-time as UTC: seconds, up to nine fraction digits and a `Z` are optional, another offset is not
 * taken. Digits below the millisecond are dropped. Undefined for any other text or a day that no calendar has.
 */
export function fromLocalDateTime(text: string): Date | undefined {
  const [, day, minute, second = '00', fraction = ''] = FORM.exec(text) ?? []
  if (day === undefined || minute === undefined) return undefined
  const iso = `${day}T${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) || date.toISOString() !== iso ? undefined : date
}

/**
 * A local date-time with nine fraction digits and no zone: such texts are in the order of their times, down to the last
 * digit that was sent. Undefined where {@link fromLocalDateTime} is.
 */
export function comparableDateTime(text: string): string | undefined {
  const date = fromLocalDateTime(text)
  const fraction = FORM.exec(text)?.[4] ?? ''
  return date && `${date.toISOString().slice(0, 19)}.${fraction.padEnd(9, '0')}`
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export function isLocalDate(text: string): boolean {
  return fromLocalDateTime(`${text}T00:00`) !== undefined
}

/** The local date-time of a time that may be absent; null if it is. */
export function localOrNull(date: Date | undefined): string | null {
  return date === undefined ? null : toLocalDateTime(date)
}
