import { type Bar, STACK } from './bars.ts'
import type { StatusCounts } from './calls.ts'
import { LOOKS } from './outcome.ts'

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' })

/** When it began, in the zone of the viewer: `Sat 21, 09:45`, or `09:45` where the day is known. */
export function startText({ start }: Pick<Bar, 'start'>, hasDay: boolean): string {
  return (hasDay ? day : clock).format(start)
}

/** Names a bar in the zone of the viewer. */
export function barText({ start, end }: Pick<Bar, 'start' | 'end'>): string {
  return `${day.format(start)} to ${clock.format(new Date(end.getTime() + 1))}`
}

/** Neighboring bars and what is in them: `Sat 21, 09:45 to 10:15: 12 processed, 1 failed`. */
export function spanText(bars: readonly Bar[]): string {
  const [first, last] = [bars[0], bars.at(-1)]
  if (!first || !last) return 'none'
  const sum = Object.fromEntries(
    STACK.map((status) => [status, bars.reduce((total, { counts }) => total + (counts[status] ?? 0), 0)]),
  )
  return `${barText({ start: first.start, end: last.end })}: ${countsText(sum)}`
}

/** `12 processed, 1 failed`, without what there is none of. */
export function countsText(counts: StatusCounts): string {
  const parts = STACK.toReversed().flatMap((status) =>
    counts[status] ? [`${counts[status].toLocaleString('en')} ${LOOKS[status].label.toLowerCase()}`] : [],
  )
  return parts.join(', ') || 'none'
}
