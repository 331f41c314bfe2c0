import { ForeignText } from '../ui/foreign-text.tsx'
import { openEvent, place, placeAddress } from './navigation.ts'
import type { RecordKey } from './record.ts'

/** The id of an event, as a link that opens it beside the list. */
export function EventLink({ event }: { readonly event: RecordKey }) {
  return (
    <a
      href={placeAddress({ ...place.value, open: event })}
      onClick={(click) => {
        if (click.ctrlKey || click.metaKey || click.shiftKey) return
        click.preventDefault()
        openEvent(event)
      }}
    >
      <code>
        <ForeignText text={event.eventId} />
      </code>
    </a>
  )
}
