import { signal } from '@preact/signals'

const DAY_MS = 86_400_000

let timer: number | undefined

function tick(): void {
  now.value = new Date()
}

/** The current time, updated once a second while it has subscribers. */
export const now = signal(new Date(), {
  watched() {
    tick()
    timer = setInterval(tick, 1000)
  },
  unwatched: () => clearInterval(timer),
})

interface TimeProps {
  /** A text is a time of the API. */
  readonly at: Date | string
}

/** A time for a column; the tooltip has it in UTC. */
export function ShortTime({ at }: TimeProps) {
  const time = parseTime(at)
  const iso = time.toISOString()
  return (
    <time class="num" dateTime={iso} title={`${fullTime(time)} ${zone}\n${iso}`}>
      {shortTime(time, now.value)}
    </time>
  )
}

/** A time in full, and its distance from now; the tooltip has it in UTC. */
export function LiveTime({ at }: TimeProps) {
  const time = parseTime(at)
  const iso = time.toISOString()
  return (
    <span>
      <time class="num" dateTime={iso} title={iso}>
        {fullTime(time)} {zone}
      </time>{' '}
      <span class="muted">{relativeTime(time, now.value)}</span>
    </span>
  )
}

/** A time of the API, which is in UTC where it has no zone. */
export function parseTime(time: Date | string): Date {
  if (time instanceof Date) return time
  return new Date(time.endsWith('Z') ? time : `${time}Z`)
}

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

/** Units with the seconds they last, longest first. */
export const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** The distance of a time in its largest whole unit: "in 29 minutes", "3 seconds ago". */
export function relativeTime(time: Date, now: Date): string {
  const seconds = Math.trunc((time.getTime() - now.getTime()) / 1000)
  const [unit, length] = UNITS.find(([, candidate]) => Math.abs(seconds) >= candidate) ?? UNITS[3]
  return relative.format(Math.trunc(seconds / length), unit)
}

/** When something is due that does not begin to the second. */
export function dueText(at: Date, now: Date): string {
  return at > now ? relativeTime(at, now) : 'any moment'
}

const pad = (number: number) => String(number).padStart(2, '0')

/** The time left, to the second: "23:59:07", preceded by days if there are any; undefined if none is left. */
export function timeLeft(end: Date, now: Date): string | undefined {
  const seconds = Math.ceil((end.getTime() - now.getTime()) / 1000)
  if (seconds <= 0) return undefined
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24]
  const left = [hours, Math.floor(seconds / 60) % 60, seconds % 60].map(pad).join(':')
  return days === 0 ? left : `${days} d ${left}`
}

/** A time in the zone of the viewer, as a field of the kind `datetime-local` has it; empty for what is no time. */
export function toLocalInput(time: Date, unit: 'minutes' | 'seconds'): string {
  if (Number.isNaN(time.getTime())) return ''
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, unit === 'minutes' ? 16 : 19)
}

/** The time of such a field in UTC; empty for an empty one. */
export function fromLocalInput(text: FormDataEntryValue | null): string {
  return text ? new Date(String(text)).toISOString() : ''
}

const LENGTHS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const

/** A duration in its two largest units: "14 ms", "0.5 s", "4 min 12 s", "1 h 5 min". */
export function duration(milliseconds: number): string {
  if (milliseconds < 100) return `${milliseconds} ms`
  if (milliseconds < 60_000) return `${Number((milliseconds / 1000).toFixed(1))} s`
  const index = LENGTHS.findIndex(([, length]) => milliseconds >= length)
  const [unit, length] = LENGTHS[index] ?? LENGTHS[2]
  const [smaller, part] = LENGTHS[index + 1] ?? ['s', 1000]
  const rest = Math.floor((milliseconds % length) / part)
  return `${Math.floor(milliseconds / length)} ${unit}${rest === 0 ? '' : ` ${rest} ${smaller}`}`
}
