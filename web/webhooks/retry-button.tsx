import { ordered, retry } from './feed.ts'
import { type EventRecord, recordName } from './record.ts'

/** Runs an event again, if it has failed. */
export function RetryButton({ event }: { readonly event: EventRecord }) {
  if (event.status !== 'FAILED') return null
  return (
    <button
      type="button"
      class="quiet small"
      disabled={ordered.value.has(recordName(event))}
      onClick={() => void retry(event)}
    >
      Retry<span class="visually-hidden"> {event.eventId}</span>
    </button>
  )
}
