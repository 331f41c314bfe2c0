import { parseTime } from '../ui/times.tsx'
import type { Counts, StatusCounts } from './calls.ts'
import type { EventRecord } from './record.ts'

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

const LENGTHS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** `15 minutes`. */
export function lengthText(seconds: number): string {
  const [unit, length] = LENGTHS.find(([, candidate]) => seconds % candidate === 0) ?? ['second', 1]
  const count = seconds / length
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`
}
