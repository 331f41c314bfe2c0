import { type Outcome, outcomeOf } from './outcome.ts'
import { type EventRecord, recordTime } from './record.ts'

const MINUTE = 60_000

/** The possible durations of a bar, in minutes. */
const WIDTHS = [1, 5, 15, 60, 360, 1440]

const MINIMUM_BARS = 30
const MAXIMUM_BARS = 48

/** The events received in one period. */
export interface Bar extends Readonly<Record<Outcome, number>> {
  readonly start: Date
}

export interface TimeLine {
  /** The duration of a bar, in minutes. */
  readonly minutes: number
  /** Consecutive bars, including empty ones. */
  readonly bars: readonly Bar[]
}

/**
 * Counts events by time of receipt until now, in the shortest periods that cover all of them; if none does, only the
 * latest events.
 */
export function timeLine(events: readonly EventRecord[], now: Date): TimeLine {
  const times = [now.getTime(), ...events.map(({ receivedAt }) => recordTime(receivedAt).getTime())]
  const first = Math.min(...times)
  const last = Math.max(...times)
  const countOf = (minutes: number) => indexOf(last, minutes) - indexOf(first, minutes) + 1
  const minutes = WIDTHS.find((width) => countOf(width) <= MAXIMUM_BARS) ?? Math.max(...WIDTHS)
  const count = Math.min(MAXIMUM_BARS, Math.max(MINIMUM_BARS, countOf(minutes)))
  const start = indexOf(last, minutes) - count + 1
  const byIndex = Map.groupBy(events, ({ receivedAt }) => indexOf(recordTime(receivedAt).getTime(), minutes))
  const bars = Array.from({ length: count }, (_, step) => ({
    start: new Date((start + step) * minutes * MINUTE),
    ...countsOf(byIndex.get(start + step) ?? []),
  }))
  return { minutes, bars }
}

function indexOf(time: number, minutes: number): number {
  return Math.floor(time / (minutes * MINUTE))
}

function countsOf(events: readonly EventRecord[]): Readonly<Record<Outcome, number>> {
  const counts = { processed: 0, underWay: 0, failed: 0, dead: 0 }
  for (const event of events) counts[outcomeOf(event)]++
  return counts
}
