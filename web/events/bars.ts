import { parseTime, UNITS } from '../ui/times.tsx'
import type { Counts, StatusCounts } from './calls.ts'
import { type EventRecord, LOOKS } from './record.ts'

type Status = EventRecord['status']

/** From the baseline up: what needs a person is below, where a single one is seen. */
export const STACK = ['FAILED', 'RETRY', 'RECEIVED', 'PROCESSING', 'PROCESSED'] as const satisfies readonly Status[]

/** The units of the drawing, which is stretched to its place, 40 pixels high. */
export const WIDTH = 960
export const HEIGHT = 44

/** Three pixels. */
const LEAST = (3 * HEIGHT) / 40

interface Part {
  readonly status: Status
  readonly y: number
  readonly height: number
}

export interface Bar {
  readonly start: Date
  /** The last moment of it. */
  readonly end: Date
  readonly x: number
  readonly width: number
  readonly counts: StatusCounts
  readonly parts: readonly Part[]
}

/** The bars of a histogram of the chosen statuses, or of all if none is chosen. */
export function barsOf({ buckets, bucketSeconds }: Counts, chosen: readonly Status[]): readonly Bar[] {
  const shown = STACK.filter((status) => chosen.length === 0 || chosen.includes(status))
  const totals = buckets.map(({ status }) => shown.reduce((sum, name) => sum + (status[name] ?? 0), 0))
  const most = Math.max(1, ...totals)
  const step = WIDTH / Math.max(1, buckets.length)
  return buckets.map(({ at, status }, index) => {
    const start = parseTime(at)
    return {
      start,
      end: new Date(start.getTime() + bucketSeconds * 1000 - 1),
      x: index * step + step * 0.1,
      width: step * 0.8,
      counts: status,
      parts: partsOf(status, shown, ((totals[index] ?? 0) / most) * HEIGHT),
    }
  })
}

/** Each status is seen; the processed ones give way to the others. */
function partsOf(counts: StatusCounts, shown: readonly Status[], height: number): readonly Part[] {
  const present = shown.filter((status) => (counts[status] ?? 0) > 0)
  const total = present.reduce((sum, status) => sum + (counts[status] ?? 0), 0)
  const exceptions = present.filter((status) => status !== 'PROCESSED')
  const heights = new Map<Status, number>(
    exceptions.map((status) => [status, Math.max(LEAST, (height * (counts[status] ?? 0)) / total)]),
  )
  const used = heights.values().reduce((sum, each) => sum + each, 0)
  if (present.includes('PROCESSED')) heights.set('PROCESSED', Math.max(1, height - used))
  let y = HEIGHT
  return [...heights].map(([status, each]) => {
    y -= each
    return { status, y, height: each }
  })
}

/** `15 minutes`. */
export function lengthText(seconds: number): string {
  const [unit, length] = UNITS.find(([, candidate]) => seconds % candidate === 0) ?? ['second', 1]
  const count = seconds / length
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`
}

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

/** The bar that a choice began with, and the one that it has come to. */
export type BarChoice = readonly [anchor: number, at: number]

/** The choice after a key, of bars from 0 to `last`; undefined for a key that does not move it. */
export function movedChoice(
  choice: BarChoice | undefined,
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
  last: number,
): BarChoice | undefined {
  const step = { ArrowLeft: -1, ArrowRight: 1, Home: -last, End: last }[key]
  if (step === undefined) return undefined
  if (!choice) return key === 'Home' ? [0, 0] : [last, last]
  const [anchor, at] = choice
  const next = Math.min(last, Math.max(0, at + step))
  return [shiftKey ? anchor : next, next]
}

/** The first and the last bar of a choice. */
export function chosenBars([anchor, at]: BarChoice): readonly [number, number] {
  return anchor < at ? [anchor, at] : [at, anchor]
}
