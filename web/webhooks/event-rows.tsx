import { useSignal } from '@preact/signals'
import { now } from '../clock.ts'
import { relativeTime } from '../relative-time.ts'
import { EventLink } from './event-link.tsx'
import { list, place, readOlder, trouble } from './feed.ts'
import { LookAlikeMarks } from './look-alikes.tsx'
import { isEverything } from './place.ts'
import { type EventRecord, recordName, recordTime } from './record.ts'
import { RetryButton } from './retry-button.tsx'
import { SendHint } from './send-hint.tsx'
import { StatusBadge } from './status-badge.tsx'

/** The events, newest first, or why there are none. */
export function EventRows() {
  if (!list.value) return trouble.value === undefined ? <p class="empty">Loading …</p> : null
  const { events, nextCursor } = list.value
  return (
    <>
      {events.length === 0 ? (
        <Nothing isSearching={nextCursor !== null} />
      ) : (
        <ul class="events">
          {events.map((event) => (
            <Row key={recordName(event)} event={event} />
          ))}
        </ul>
      )}
      {nextCursor !== null && <Older />}
    </>
  )
}

function Row({ event }: { readonly event: EventRecord }) {
  const { open } = place.value
  const isOpen = open !== undefined && recordName(open) === recordName(event)
  const received = recordTime(event.receivedAt)
  return (
    <li class="event" data-open={isOpen}>
      <StatusBadge {...event} />
      <EventLink event={event} isRow />
      <span class="muted about">
        {event.source} · {event.eventType} ·{' '}
        <time dateTime={received.toISOString()}>{clockTime(received, now.value)}</time> (
        {relativeTime(received, now.value)})
        {event.nextRetryAt !== null && <NextRetry at={recordTime(event.nextRetryAt)} />}
        <LookAlikeMarks {...event} />
      </span>
      {event.errorMessage !== null && <span class="error">{event.errorMessage}</span>}
      <span class="act">
        <RetryButton event={event} />
      </span>
    </li>
  )
}

function NextRetry({ at }: { readonly at: Date }) {
  return <> · next try {at > now.value ? relativeTime(at, now.value) : 'any moment'}</>
}

/** `03:04:05` in UTC, with the day if it is not today. */
function clockTime(date: Date, today: Date): string {
  const iso = date.toISOString().slice(0, 19).replace('T', ' ')
  return today.toISOString().startsWith(iso.slice(0, 10)) ? iso.slice(11) : iso
}

function Nothing({ isSearching }: { readonly isSearching: boolean }) {
  if (isSearching) return <p class="empty">None among the newest events. There are older ones to look through.</p>
  if (!isEverything(place.value.filter)) return <p class="empty">No event is like that.</p>
  return (
    <div class="empty">
      <p>No webhook has arrived yet.</p>
      <SendHint />
    </div>
  )
}

function Older() {
  const isReading = useSignal(false)

  async function read(): Promise<void> {
    isReading.value = true
    await readOlder()
    isReading.value = false
  }

  return (
    <button type="button" class="quiet" disabled={isReading.value} onClick={() => void read()}>
      Older ones
    </button>
  )
}
