import type { Clock } from '../../runtime/time.ts'
import type { EventKey } from '../event.ts'
import { type EventChange, hashOf, WatchCursor } from './cursor.ts'
import type { Notice } from './feed.ts'
import { QUIET_MS, type Quiet, type Watch } from './watch.ts'

/** One value, or any of several; what is absent does not matter. */
type Wanted = string | readonly string[] | undefined

/** What a watcher asks for. */
interface ChangeFilter {
  readonly source?: Wanted
  readonly type?: Wanted
  readonly status?: Wanted
}

export function matchesFilter(change: EventChange, { source, type, status }: ChangeFilter): boolean {
  return allows(source, change.source) && allows(type, change.eventType) && allows(status, change.status)
}

function allows(wanted: Wanted, value: string): boolean {
  return wanted === undefined || [wanted].flat().includes(value)
}

interface FilterParts {
  readonly watch: Watch
  readonly clock: Clock
}

/** Selects the changes that one watcher receives. */
interface Filter {
  /** The cursor after which it resumes. */
  readonly after: WatchCursor | undefined
  matches(change: EventChange): boolean
  /** Whether there are sources whose events it may not receive. */
  readonly isScoped: boolean
}

/** The changes that pass a filter; while there are none, and at once if the first does not, the watcher's position. */
export async function* filtered(
  { watch, clock }: FilterParts,
  { after, matches, isScoped }: Filter,
  signal: AbortSignal,
): AsyncGenerator<Notice | Quiet> {
  const scope = scopedCursors(isScoped, after)
  let spokeAt = Number.NEGATIVE_INFINITY
  for await (const notice of watch(after, signal)) {
    const now = clock.now().getTime()
    const isMatch = notice.change !== undefined && matches(notice.change)
    if (notice.change && !isMatch && now - spokeAt < QUIET_MS) continue
    spokeAt = now
    yield scope(isMatch ? notice : { change: undefined, cursor: notice.cursor })
  }
}

/** A message to a watcher: a change, or only its position. */
interface WatchMessage {
  readonly change: EventKey | undefined
  readonly cursor: string
}

/** Returns the same message with a cursor that this watcher may have. */
export type CursorScope = <T extends WatchMessage>(notice: T) => T

/**
 * The cursors of a watcher who receives the events of some sources only: they name no other event. After a resume, the
 * feed may repeat an event that the cursor does not name; it is left out again.
 * @param isScoped whether there are sources whose events the watcher does not receive
 * @param delivered what it resumes after
 */
export function scopedCursors(isScoped: boolean, delivered: WatchCursor | undefined): CursorScope {
  let named: ReadonlySet<number> = new Set(delivered?.named)
  return (notice) => {
    const full = isScoped ? WatchCursor.read(notice.cursor) : undefined
    if (!full) return notice
    const scoped = full.naming(notice.change ? new Set([...named, hashOf(notice.change)]) : named)
    named = new Set(scoped.named)
    return { ...notice, cursor: scoped.cursor }
  }
}
