/** Units with the seconds they last, longest first. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

const format = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** The distance of a time in its largest whole unit: "in 29 minutes", "3 seconds ago". */
export function relativeTime(time: Date, now: Date): string {
  const seconds = Math.trunc((time.getTime() - now.getTime()) / 1000)
  const [unit, length] = UNITS.find(([, candidate]) => Math.abs(seconds) >= candidate) ?? UNITS[3]
  return format.format(Math.trunc(seconds / length), unit)
}
