const DAY_MS = 86_400_000

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' })
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const full = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
})

/** The name of the viewer's time zone, as "UTC+1" or "UTC". */
export const zone: string =
  new Intl.DateTimeFormat('en-GB', { timeZoneName: 'shortOffset' })
    .formatToParts(new Date())
    .find(({ type }) => type === 'timeZoneName')
    ?.value.replace(/^GMT(\+0$)?/, 'UTC') ?? 'UTC'

/** A time for a column: the clock of today, "Sat 20:16" of the last six days, else the date. In the viewer's zone. */
export function shortTime(at: Date, now: Date): string {
  if (at.toDateString() === now.toDateString()) return clock.format(at)
  const age = now.getTime() - at.getTime()
  return age >= 0 && age < 6 * DAY_MS ? weekday.format(at).replace(',', '') : date.format(at)
}

/** A time to the millisecond, in the viewer's zone. */
export function fullTime(at: Date): string {
  return full.format(at)
}
