import type { Clock } from '../../runtime/clock.ts'
import type { EventChange } from './change.ts'
import type { WatchCursor } from './cursor.ts'
import type { Notice } from './feed.ts'
import { scopedCursors } from './scoped-cursors.ts'
import { QUIET_MS, type Quiet, type Watch } from './watch.ts'

interface FilterParts {
  readonly watch: Watch
  readonly clock: Clock
}

/** Selects the changes that one watcher receives. */
interface Filter {
  /** The cursor after which it resumes. */
  readonly told: WatchCursor | undefined
  isTold(change: EventChange): boolean
  /** Whether there are sources whose events it may not receive. */
  readonly isScoped: boolean
}

/** The changes that pass a filter; while there are none, and at once if the first does not, the watcher's position. */
export async function* filtered(
  { watch, clock }: FilterParts,
  { told, isTold, isScoped }: Filter,
  signal: AbortSignal,
): AsyncGenerator<Notice | Quiet> {
  const scope = scopedCursors(isScoped, told)
  let spokeAt = Number.NEGATIVE_INFINITY
  for await (const notice of watch(told, signal)) {
    const now = clock.now().getTime()
    const isNews = notice.change !== undefined && isTold(notice.change)
    if (notice.change && !isNews && now - spokeAt < QUIET_MS) continue
    spokeAt = now
    yield scope(isNews ? notice : { change: undefined, cursor: notice.cursor })
  }
}
