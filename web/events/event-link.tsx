import { LocalLink } from '../ui/links.tsx'
import { ForeignText } from '../ui/text.tsx'
import { openEvent, place, placeAddress } from './navigation.ts'
import type { RecordKey } from './record.ts'

/** The id of an event, as a link that opens it beside the list. */
export function EventLink({ event }: { readonly event: RecordKey }) {
  return (
    <LocalLink address={placeAddress({ ...place.value, open: event })} follow={() => openEvent(event)}>
      <code>
        <ForeignText text={event.eventId} />
      </code>
    </LocalLink>
  )
}
