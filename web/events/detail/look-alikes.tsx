import type { ComponentChildren } from 'preact'
import { LiveTime } from '../../ui/live-time.tsx'
import { EventLink } from '../event-link.tsx'
import { type EventRecord, recordTime } from '../record.ts'

type LookAlike = Pick<EventRecord, 'source' | 'possibleDuplicateOf' | 'idConflict'>

/** Rows of facts: which event it looks like, and what else came under its id. */
export function lookAlikes({
  source,
  possibleDuplicateOf,
  idConflict,
}: LookAlike): readonly (readonly [term: string, value: ComponentChildren])[] {
  return [
    [
      'Looks like',
      possibleDuplicateOf !== null && (
        <>
          <EventLink event={{ source, eventId: possibleDuplicateOf }} />{' '}
          <span class="muted">has the same content: a possible duplicate</span>
        </>
      ),
    ],
    [
      'Id conflict',
      idConflict !== null && (
        <>
          Another content came under this id {times(idConflict.count)}, last{' '}
          <LiveTime at={recordTime(idConflict.lastAt)} />. It was not stored.
        </>
      ),
    ],
  ]
}

/** Not every conflict is counted. */
function times(count: number): string {
  return count === 1 ? 'at least once' : `at least ${count} times`
}
