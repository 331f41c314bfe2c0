import type { HeardDay } from './heard.ts'

/** A source that sent regularly and has stopped. */
export interface SilentSource {
  readonly source: string
  readonly lastAt: Date
  /** Its longest pause before that, in milliseconds. */
  readonly usualMs: number
}

const DAY = 86_400_000

/** A source is known once it has sent on so many days, the first and the last a week apart: that includes a weekend. */
const KNOWN_DAYS = 3
const KNOWN_MS = 7 * DAY

/** A source is silent after so many times its longest pause, and at least a day. */
const PATIENCE = 2

/** How long a silence is reported, in milliseconds: after that the source counts as no longer in use. */
const MENTIONED_MS = 7 * DAY

/** The known sources that have been silent for unusually long. */
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

/** Pauses within a day are shorter than the minimum anyway. */
function pausesBetween(days: readonly HeardDay[]): readonly number[] {
  return days.slice(1).map(({ firstAt }, index) => firstAt.getTime() - (days[index]?.lastAt.getTime() ?? 0))
}
