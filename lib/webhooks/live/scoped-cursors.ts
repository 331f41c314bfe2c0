import type { EventKey } from '../event.ts'
import { hashOf, WatchCursor } from './cursor.ts'

/** A message to a watcher: a change, or only its position. */
interface Told {
  readonly change: EventKey | undefined
  readonly cursor: string
}

/** Returns the same message with a cursor that this watcher may have. */
export type CursorScope = <T extends Told>(notice: T) => T

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
