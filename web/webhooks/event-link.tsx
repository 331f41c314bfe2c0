import { openEvent, place } from './feed.ts'
import { searchOf } from './place.ts'
import { type EventKey, nameOf } from './record.ts'

interface Link {
  readonly event: EventKey
  /** Whether keys go from this one to the next. */
  readonly isRow?: boolean
}

/** The id of an event, which opens it beside the list. */
export function EventLink({ event, isRow = false }: Link) {
  const { filter, open } = place.value
  const isOpen = open !== undefined && nameOf(open) === nameOf(event)
  return (
    <a
      class="event-id mono"
      href={`${location.pathname}${searchOf({ filter, open: event })}`}
      aria-current={isOpen ? 'true' : undefined}
      data-event={isRow ? nameOf(event) : undefined}
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
