import type { EventKey } from '../event.ts'
import { hashOf, WatchCursor } from './cursor.ts'

/** What a watcher is told: a change, or no more than where it stands. */
interface Told {
  readonly change: EventKey | undefined
  readonly cursor: string
}

/** The same with the cursor that this watcher may have. */
export type CursorScope = <T extends Told>(notice: T) => T

/**
 * The cursors of a watcher who is told of the events of some sources only: they name no other event. What a cursor does
 * not name may come again after a resume, and is left out again.
 * @param isScoped whether there are sources that the watcher is not told of
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
