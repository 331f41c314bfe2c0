import type { HeardDay } from './heard.ts'

/** A source that spoke regularly, and does not any more. */
export interface SilentSource {
  readonly source: string
  readonly lastAt: Date
  /** The longest pause that it made before, in milliseconds. */
  readonly usualMs: number
}

const DAY = 86_400_000

/** A source is known once it has spoken on so many days, the first and the last a week apart: weekends are in it. */
const KNOWN_DAYS = 3
const KNOWN_MS = 7 * DAY

/** So many times its longest pause, and a day at least, is more than a source is usually silent. */
const PATIENCE = 2

/** How long a silence is worth mentioning, in milliseconds. A source that was taken out of use is forgotten then. */
const MENTIONED_MS = 7 * DAY

/** The known sources that have been silent for longer than they usually are. */
export function silentSources(days: readonly HeardDay[], now: Date): readonly SilentSource[] {
  const bySource = Map.groupBy(days, ({ source }) => source)
  return [...bySource].flatMap(([source, own]) => silenceOf(source, own, now) ?? [])
}

function silenceOf(source: string, given: readonly HeardDay[], now: Date): SilentSource | undefined {
  const days = given.toSorted((one, other) => one.firstAt.getTime() - other.firstAt.getTime())
  const [first, last] = [days.at(0), days.at(-1)]
  if (!first || !last || days.length < KNOWN_DAYS) return undefined
  if (last.lastAt.getTime() - first.firstAt.getTime() < KNOWN_MS) return undefined
  const usualMs = Math.max(...pausesBetween(days))
  const over = now.getTime() - last.lastAt.getTime() - Math.max(DAY, PATIENCE * usualMs)
  return over > 0 && over <= MENTIONED_MS ? { source, lastAt: last.lastAt, usualMs } : undefined
}

/** Pauses within a day are shorter than what is forgiven anyway. */
function pausesBetween(days: readonly HeardDay[]): readonly number[] {
  return days.slice(1).map(({ firstAt }, index) => firstAt.getTime() - (days[index]?.lastAt.getTime() ?? 0))
}
