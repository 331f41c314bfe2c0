import { LiveTime } from '../components/live-time.tsx'
import { EventLink } from './event-link.tsx'
import { type EventRecord, recordTime } from './record.ts'

type Marked = Pick<EventRecord, 'possibleDuplicateOf' | 'idConflict'>

/** In a line about an event: that it looks like another. */
export function LookAlikeMarks({ possibleDuplicateOf, idConflict }: Marked) {
  return (
    <>
      {possibleDuplicateOf !== null && <Mark>possible duplicate</Mark>}
      {idConflict !== null && <Mark>id conflict</Mark>}
    </>
  )
}

function Mark({ children }: { readonly children: string }) {
  return (
    <>
      {' · '}
      <span class="mark" data-tone="warn">
        {children}
      </span>
    </>
  )
}

/** Rows of facts: which event it looks like, and what else came under its id. */
export function LookAlikes({ event }: { readonly event: Marked & Pick<EventRecord, 'source'> }) {
  const { source, possibleDuplicateOf, idConflict } = event
  return (
    <>
      {possibleDuplicateOf !== null && (
        <>
          <dt>Looks like</dt>
          <dd>
            Possible duplicate of <EventLink event={{ source, eventId: possibleDuplicateOf }} />
          </dd>
        </>
      )}
      {idConflict !== null && (
        <>
          <dt>Id conflict</dt>
          <dd>
            Another content has the same id: {times(idConflict.count)}, last{' '}
            <LiveTime at={recordTime(idConflict.lastAt)} />
          </dd>
        </>
      )}
    </>
  )
}

/** Not every conflict is counted. */
function times(count: number): string {
  return count === 1 ? 'once at least' : `${count} times at least`
}
