import { openEvent, place } from './feed.ts'
import { searchOf } from './place.ts'
import { type RecordKey, recordName } from './record.ts'

interface Link {
  readonly event: RecordKey
  /** Whether keys move from this link to the next. */
  readonly isRow?: boolean
}

/** The id of an event, as a link that opens it beside the list. */
export function EventLink({ event, isRow = false }: Link) {
  const { filter, open } = place.value
  const isOpen = open !== undefined && recordName(open) === recordName(event)
  return (
    <a
      class="event-id mono"
      href={`${location.pathname}${searchOf({ filter, open: event })}`}
      aria-current={isOpen ? 'true' : undefined}
      data-event={isRow ? recordName(event) : undefined}
      onClick={(click) => {
        if (click.ctrlKey || click.metaKey || click.shiftKey) return
        click.preventDefault()
        openEvent(event)
      }}
    >
      {event.eventId}
    </a>
  )
}
