import { LookBadge } from '../ui/badge.tsx'
import { isPlainClick, LocalLink } from '../ui/links.tsx'
import { ForeignText } from '../ui/text.tsx'
import { ShortTime } from '../ui/times.tsx'
import { isWalking, KeyLine } from './keys.tsx'
import { go, openEvent, place, placeAddress } from './navigation.tsx'
import type { PageAddress } from './place.ts'
import { fresh, list } from './reading.ts'
import {
  attemptsText,
  type EventRecord,
  eventLook,
  recordName,
  type ShownEvents,
  summaryOf,
  tookText,
} from './record.ts'

/** Rows that are drawn before the first answer. */
const SKELETON_ROWS = 16

/** The columns with their classes. */
const HEADS = [
  ['Status', 'status'],
  ['Type', 'fill'],
  ['Source', 'c2 source'],
  ['Event id', 'c3 id'],
  ['Attempts', 'end c3 attempts'],
  ['Took', 'end c2 took'],
  ['Received', 'end when'],
] as const

/** The events, newest first; a row is a link to its event. */
export function EventTable() {
  const events = list.value?.events
  return (
    <table>
      <caption class="hide">Webhook events, newest first</caption>
      <thead>
        <tr>
          {HEADS.map(([head, name]) => (
            <th key={head} scope="col" class={name}>
              {head}
            </th>
          ))}
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
        <LookBadge look={eventLook(event)} />
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
function positionText({ events: { length }, nextCursor, before }: ShownEvents): string {
  if (before === undefined) return length === 1 ? '1 event' : `${length} events`
  const format = (number: number) => number.toLocaleString('en')
  const last = before + length
  const total = nextCursor === null ? format(last) : `at least ${format(last + 1)}`
  return `${format(before + Math.min(1, length))}–${format(last)} of ${total}`
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
