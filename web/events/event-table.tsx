import { isPlainClick } from '../ui/links.tsx'
import { ForeignText } from '../ui/text.tsx'
import { ShortTime } from '../ui/times.tsx'
import type { ShownEvents } from './event-list.ts'
import { isWalking } from './keys.ts'
import { openEvent, place, placeAddress } from './navigation.ts'
import { fresh, list } from './reading.ts'
import { type EventRecord, recordName } from './record.ts'
import { StatusBadge } from './status-badge.tsx'
import { attemptsText, summaryOf, tookText } from './summary.ts'

/** Rows that are drawn before the first answer. */
const SKELETON_ROWS = 16

/** The events, newest first; a row is a link to its event. */
export function EventTable() {
  const events = list.value?.events
  return (
    <table>
      <caption class="hide">Webhook events, newest first</caption>
      <thead>
        <tr>
          <th scope="col" class="status">
            Status
          </th>
          <th scope="col" class="fill">
            Type
          </th>
          <th scope="col" class="c2 source">
            Source
          </th>
          <th scope="col" class="c3 id">
            Event id
          </th>
          <th scope="col" class="end c3 attempts">
            Attempts
          </th>
          <th scope="col" class="end c2 took">
            Took
          </th>
          <th scope="col" class="end when">
            Received
          </th>
        </tr>
      </thead>
      <tbody>
        {events
          ? events.map((event) => <Row key={recordName(event)} event={event} />)
          : Array.from({ length: SKELETON_ROWS }, (_, index) => <Skeleton key={index} />)}
      </tbody>
    </table>
  )
}

function Row({ event }: { readonly event: EventRecord }) {
  const { open } = place.value
  const name = recordName(event)
  const { eventType, source, eventId } = event
  const key = { source, eventId }
  const isOpen = open !== undefined && recordName(open) === name
  const summary = summaryOf(event)
  return (
    <tr class={fresh.value.has(name) ? 'fresh' : undefined} onClick={(click) => follow(click, key)}>
      <td>
        <StatusBadge event={event} />
      </td>
      <td class="fill">
        <a
          href={placeAddress({ ...place.value, open: key })}
          aria-current={isOpen ? 'true' : undefined}
          data-event={name}
          title={summary || undefined}
        >
          <b>
            <ForeignText text={eventType} />
          </b>
          <span class="hide">, event {eventId}</span>{' '}
          <span class="muted">
            <ForeignText text={summary} />
          </span>
        </a>
      </td>
      <td class="c2 source">{source}</td>
      <td class="c3 id">
        <code class="muted">
          <ForeignText text={eventId} />
        </code>
      </td>
      <td class="end num c3">{attemptsText(event)}</td>
      <td class="end num muted c2">{tookText(event)}</td>
      <td class="end num">
        <ShortTime at={event.receivedAt} />
      </td>
    </tr>
  )
}

/** Opens the event of a row in this page. */
function follow(click: MouseEvent, key: Pick<EventRecord, 'source' | 'eventId'>): void {
  if (!isPlainClick(click)) return
  click.preventDefault()
  isWalking.value = false
  openEvent(key)
}

function Skeleton() {
  return (
    <tr>
      <td>
        <div class="skel" />
      </td>
      <td class="fill">
        <div class="skel" />
      </td>
      {['c2', 'c3', 'c3', 'c2', undefined].map((column, index) => (
        <td key={index} class={column}>
          <div class="skel" />
        </td>
      ))}
    </tr>
  )
}

/** `1–50 of at least 51`. */
export function positionText({ events: { length }, nextCursor, before }: ShownEvents): string {
  if (before === undefined) return length === 1 ? '1 event' : `${length} events`
  const format = (number: number) => number.toLocaleString('en')
  const last = before + length
  const total = nextCursor === null ? format(last) : `at least ${format(last + 1)}`
  return `${format(before + Math.min(1, length))}–${format(last)} of ${total}`
}
