import { type EventRecord, recordName, recordTime } from '../events/record.ts'
import { StatusBadge } from '../events/status-badge.tsx'
import { ForeignText } from '../ui/text.tsx'
import { ShortTime } from '../ui/times.tsx'

type Shown = Pick<EventRecord, 'source' | 'eventId' | 'eventType' | 'status' | 'nextRetryAt' | 'outcome' | 'receivedAt'>

/** The newest events of the inbox, one line each. */
export function LatestEvents({ events }: { readonly events: readonly Shown[] }) {
  return events.map((event) => (
    <li key={recordName(event)} class="row">
      <StatusBadge event={event} />
      <span class="grow clip">
        <ForeignText text={event.eventType} />
      </span>
      <span class="muted">
        <ShortTime at={recordTime(event.receivedAt)} />
      </span>
    </li>
  ))
}
