import { LookBadge } from '../ui/badge.tsx'
import { LocalLink } from '../ui/links.tsx'
import { type Column, ListTable, timeColumn } from '../ui/list-table.tsx'
import { isWalking, KeyLine } from './keys.tsx'
import { go, openEvent, place, placeAddress } from './navigation.tsx'
import type { PageAddress } from './place.ts'
import { fresh, list } from './reading.ts'
import { type EventRecord, eventLook, recordName, type ShownEvents, summaryOf } from './record.ts'

const COLUMNS: readonly Column<EventRecord>[] = [
  { head: 'Status', class: 'status', cell: (event) => <LookBadge look={eventLook(event)} /> },
  { head: 'Type', class: 'fill', cell: typeOf },
  { head: 'Source', class: 'c2 source', cell: ({ source }) => source },
  { head: 'Event id', class: 'c3 id', cell: ({ eventId }) => <code class="muted">{eventId}</code> },
  { head: 'Retries', class: 'end num c3 attempts', cell: ({ attempts }) => attempts },
  timeColumn('Received', 'end num when', ({ receivedAt }) => receivedAt),
]

/** The events, newest first; a row is a link to its event. */
export function EventTable() {
  const { open } = place.value
  return (
    <ListTable
      caption="Webhook events, newest first"
      columns={COLUMNS}
      rows={list.value?.events}
      keyOf={recordName}
      current={open ? recordName(open) : ''}
      linkTo={({ source, eventId }) => placeAddress({ ...place.value, open: { source, eventId } })}
      open={({ source, eventId }) => {
        isWalking.value = false
        openEvent({ source, eventId })
      }}
      isFresh={(event) => fresh.value.has(recordName(event))}
      attributesOf={(event) => ({ 'data-event': recordName(event), title: summaryOf(event) || undefined })}
    />
  )
}

function typeOf(event: EventRecord) {
  return (
    <>
      <b>{event.eventType}</b>
      <span class="hide">, event {event.eventId}</span> <span class="muted">{summaryOf(event)}</span>
    </>
  )
}

/** `1–50`, at the end of the list with the total. */
function positionText({ events: { length }, nextCursor, before }: ShownEvents): string {
  if (before === undefined) return length === 1 ? '1 event' : `${length} events`
  const format = (number: number) => number.toLocaleString('en')
  const last = before + length
  return `${format(before + Math.min(1, length))}–${format(last)}${nextCursor === null ? ` of ${format(last)}` : ''}`
}

/** Where in the list one is, the keys, and the way to older events. */
export function ListFoot() {
  const { filter, cursor, tab } = place.value
  const { nextCursor = null, events = [], from = '', before = 0 } = list.value ?? {}
  const older = { ...filter, from: filter.range === 'custom' ? filter.from : from }
  const newest = filter.range === 'custom' ? filter : { ...filter, from: '' }
  return (
    <footer class="foot num">
      <span>{list.value && positionText(list.value)}</span>
      <KeyLine />
      <span class="push row">
        {cursor !== undefined && <PageLink label="Newest" to={{ filter: newest, open: undefined, tab }} before={0} />}
        {nextCursor !== null && (
          <PageLink
            label="Older"
            to={{ filter: older, cursor: nextCursor, open: undefined, tab }}
            before={before + events.length}
          />
        )}
      </span>
    </footer>
  )
}

interface PageLinkProps {
  readonly label: string
  readonly to: PageAddress
  readonly before: number
}

function PageLink({ label, to, before }: PageLinkProps) {
  function follow(): void {
    go(to, before)
    document.querySelector('.rows')?.scrollTo(0, 0)
  }

  return (
    <LocalLink address={placeAddress(to)} follow={follow}>
      {label}
    </LocalLink>
  )
}
