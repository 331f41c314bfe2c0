import { firstIdAt } from '../../lib/runtime/ids.ts'
import { fromLocalDateTime } from '../../lib/runtime/time.ts'
import { SETTLING_MS, WatchCursor, watchCursorOf } from '../../lib/webhooks/live/cursor.ts'
import { UsageError } from '../command.ts'

/** The beginning of a run; times in milliseconds. */
export type Since =
  | { readonly kind: 'cursor'; readonly cursor: string }
  | { readonly kind: 'time'; readonly at: number }
  | { readonly kind: 'ago'; readonly milliseconds: number }

const UNITS = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])

/** The greatest difference between two clocks, in milliseconds. */
const SKEW_MS = 60_000

/** Parses the option. @throws UsageError */
export function sinceOption(text: string, now: Date): Since {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count !== undefined) return { kind: 'ago', milliseconds: Number(count) * (UNITS.get(unit) ?? 0) }
  const at = fromLocalDateTime(text)?.getTime()
  if (at !== undefined && at > now.getTime() + SKEW_MS) throw new UsageError('--since lies in the future')
  if (at !== undefined) return { kind: 'time', at }
  if (WatchCursor.read(text)) return { kind: 'cursor', cursor: text }
  throw new UsageError(
    '--since must be a time (YYYY-MM-DDTHH:mm:ss in UTC), how long ago (10m), or a cursor that was printed',
  )
}

/**
 * The cursor of the beginning of a run. A time is moved a little back, because changes become visible late.
 * @param now by the clock of the service
 */
export function startCursor(since: Since | undefined, now: Date): string {
  if (since?.kind === 'cursor') return since.cursor
  if (since?.kind === 'time') return cursorAt(since.at - SETTLING_MS)
  return cursorAt(now.getTime() - (since?.milliseconds ?? 0))
}

/** Everything before a time counts as received. */
function cursorAt(milliseconds: number): string {
  const first = firstIdAt(Math.max(0, milliseconds))
  return watchCursorOf(first > 0n ? first - 1n : first, [])
}

/** A cursor that is short enough for one line: the events that it leaves out are sent again. */
export function shortCursor(cursor: string): string {
  return watchCursorOf(positionIn(cursor), [])
}

/** All changes up to this position count as received. @throws Error for a text that is no cursor */
export function positionIn(cursor: string): bigint {
  const progress = WatchCursor.read(cursor)
  if (progress) return progress.settled
  throw new Error('the service gave a text that is no cursor')
}
