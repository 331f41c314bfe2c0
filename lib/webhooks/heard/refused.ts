import { UNKNOWN_SOURCE } from '../refusals/refusal.ts'
import type { HeardDay } from './heard.ts'

/** The refusals of one source in ten minutes. */
export interface RefusedSpan {
  readonly source: string
  /** When the ten minutes begin. */
  readonly at: Date
  readonly count: number
}

export interface RefusalCounts {
  /** The spans of all sources that were refused since then, in any order; earlier ones may be among them. @throws ServiceError `UNAVAILABLE` */
  since(oldest: Date): Promise<readonly RefusedSpan[]>
}

/** A source of which nothing is taken. */
export interface RefusedSource {
  readonly source: string
  /** How many calls were refused in the last hour, since the last one that was taken. */
  readonly count: number
}

/** How far back refusals count, in milliseconds. */
export const COUNTED_MS = 3_600_000

/** Fewer refusals may be a stranger who tries a name. */
const FEWEST = 5

/**
 * The sources whose calls are refused, and none was taken since. A note of a call that was taken may be ten minutes late, so
 * only spans count that begin behind the last one.
 */
export function refusedSources(
  spans: readonly RefusedSpan[],
  heard: readonly HeardDay[],
  now: Date,
): readonly RefusedSource[] {
  const lastOf = (source: string) =>
    Math.max(now.getTime() - COUNTED_MS, ...heard.filter((day) => day.source === source).map(lastOn))
  const bySource = Map.groupBy(spans, ({ source }) => source)
  return [...bySource].flatMap(([source, own]) => {
    // Sources without a secret share this name: callers invent them.
    if (source === UNKNOWN_SOURCE) return []
    const last = lastOf(source)
    const count = own.reduce((sum, span) => sum + (span.at.getTime() > last ? span.count : 0), 0)
    return count >= FEWEST ? [{ source, count }] : []
  })
}

function lastOn({ lastAt }: HeardDay): number {
  return lastAt.getTime()
}
