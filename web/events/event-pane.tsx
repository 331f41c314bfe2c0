import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { isSessionOver } from '../ask.ts'
import { loginHere } from '../facts.ts'
import { LookBadge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Empty, Scroll } from '../ui/layout.tsx'
import { Tabs } from '../ui/links.tsx'
import { asForeign, ForeignText } from '../ui/text.tsx'
import { Attempts } from './attempts.tsx'
import type { ShownDelivery } from './calls.ts'
import { DeliveryList } from './deliveries.tsx'
import { HeaderTable } from './headers.tsx'
import { attemptsIn } from './history.ts'
import { closeEvent, openEvent, openTab, place, tabAddress } from './navigation.tsx'
import { type EventReading, type OpenEvent, useOpenEvent } from './open-event.ts'
import { Overview } from './overview.tsx'
import { Payload } from './payload.tsx'
import { TABS, type Tab } from './place.ts'
import { ProofView } from './proof-view.tsx'
import { list } from './reading.ts'
import { type EventDetail, eventLook, type RecordKey, recordName } from './record.ts'
import { ordered, retry } from './retry.tsx'

const LABELS: Readonly<Record<Tab, string>> = {
  overview: 'Overview',
  payload: 'Payload',
  headers: 'Headers',
  attempts: 'Attempts',
  deliveries: 'Deliveries',
  proof: 'Proof',
}

interface EventPaneProps {
  readonly event: RecordKey
  /** Whether its heading gets the focus: not while one walks through the list. */
  readonly takesFocus?: boolean
}

/** What is known of one event: the pane beside the list. */
export function EventPane({ event, takesFocus = true }: EventPaneProps) {
  return <Pane key={recordName(event)} event={event} takesFocus={takesFocus} />
}

function Pane({ event, takesFocus }: Required<EventPaneProps>) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { open, problem, read } = useOpenEvent(event)
  const shown = open.value
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [])
  return (
    <>
      <PaneHead event={event} detail={shown?.event} heading={heading} reread={read} />
      <Tabs
        label="Parts of the event"
        current={place.value.tab}
        choose={(name) => openTab(name as Tab)}
        tabs={TABS.map((name) => ({ name, label: LABELS[name], address: tabAddress(name), note: noteOf(name, shown) }))}
      />
      {shown ? (
        <>
          {(isSessionOver.value || problem.value !== undefined) && <Trouble reading={{ open, problem, read }} />}
          <Part shown={shown} reread={read} />
        </>
      ) : (
        <Unread reading={{ open, problem, read }} />
      )}
    </>
  )
}

/** A figure beside the name of a tab. */
function noteOf(tab: Tab, shown: OpenEvent | undefined): string | undefined {
  if (tab === 'attempts' && shown && shown.event.status !== 'RECEIVED')
    return `${attemptsIn(shown.event.history).length}`
  if (tab === 'deliveries' && shown && shown.deliveries.length > 0) return shareOf(shown.deliveries)
  return undefined
}

function shareOf(deliveries: readonly ShownDelivery[]): string {
  return `${deliveries.filter(({ status }) => status === 'DELIVERED').length}/${deliveries.length}`
}

/** The chosen part of an event. Its payload scrolls by itself. */
function Part({ shown, reread }: { readonly shown: OpenEvent; readonly reread: () => Promise<void> }) {
  const { event } = shown
  const { tab } = place.value
  if (tab === 'payload') {
    return (
      <section class="payload pad" aria-label="Payload">
        <Payload event={event} reread={reread} />
      </section>
    )
  }
  return (
    <Scroll label={LABELS[tab]} class="pad stack wide">
      {tab === 'overview' && <Overview {...shown} />}
      {tab === 'headers' && <HeaderTable event={event} />}
      {tab === 'attempts' && <Attempts event={event} />}
      {tab === 'deliveries' && <DeliveryList {...shown} reread={reread} />}
      {tab === 'proof' && <ProofView event={event} />}
    </Scroll>
  )
}

/** In place of an event that is not read: why. */
function Unread({ reading }: { readonly reading: EventReading }) {
  const { problem, read } = reading
  if (isSessionOver.value) return <Trouble reading={reading} />
  if (problem.value === undefined) return <p class="pad muted">Loading …</p>
  return (
    <Empty title={problem.value}>
      <div class="row flow">
        <Button onClick={read}>Try again</Button>
        <Button onClick={closeEvent}>Close</Button>
      </div>
    </Empty>
  )
}

/** Above an event that could not be read again. */
function Trouble({ reading: { problem, read } }: { readonly reading: EventReading }) {
  return (
    <div class="pad">
      <p class="note small row flow" data-tone="bad" role="alert">
        {isSessionOver.value ? (
          <>
            Your session has ended. <a href={loginHere()}>Log in again</a>
          </>
        ) : (
          <>
            {problem} <Button onClick={read}>Try again</Button>
          </>
        )}
      </p>
    </div>
  )
}

interface PaneHeadProps {
  readonly event: RecordKey
  /** Undefined until it is read. */
  readonly detail: EventDetail | undefined
  readonly heading: RefObject<HTMLHeadingElement | null>
  readonly reread: () => Promise<void>
}

/** The head of the pane: which event it is, and what one can do with it. */
function PaneHead({ event, detail, heading, reread }: PaneHeadProps) {
  return (
    <header class="bar">
      <Button icon="left" class="bare only-s" label="Back to the list" onClick={closeEvent} />
      <span class="grow stack tight">
        <span class="row flow">
          <h2 class="wrap" tabIndex={-1} ref={heading}>
            <ForeignText text={detail?.eventType ?? 'Event'} />
          </h2>
          {detail && <LookBadge look={eventLook(detail)} isSolid />}
        </span>
        <span class="row small muted">
          <span class="wrap">{asForeign(event.source)}</span>
          <code class="clip">
            <ForeignText text={event.eventId} />
          </code>
          <CopyButton text={event.eventId} of="the event id" isBare />
        </span>
      </span>
      <span class="row">
        {detail && <Order event={detail} reread={reread} />}
        <span class="wide-only row tight">
          <Neighbor event={event} by={-1} name="Previous event (k)" icon="up" />
          <Neighbor event={event} by={1} name="Next event (j)" icon="down" />
          <Button icon="x" class="bare" label="Close (Escape)" title="Close (Escape)" onClick={closeEvent} />
        </span>
      </span>
    </header>
  )
}

/** What runs a failed event again, or a held one for the first time. */
function Order({ event, reread }: { readonly event: EventDetail; readonly reread: () => Promise<void> }) {
  if ((event.status !== 'FAILED' && !event.held) || event.payloadDeletedAt !== null) return null
  return (
    <Button
      icon="retry"
      disabled={ordered.value.has(recordName(event))}
      onClick={() => void retry(event, event.held ? 'release' : 'retry').then(reread)}
    >
      {event.held ? 'Release' : 'Retry now'}
    </Button>
  )
}

interface NeighborProps {
  readonly event: RecordKey
  readonly by: 1 | -1
  readonly name: string
  readonly icon: string
}

function Neighbor({ event, by, name, icon }: NeighborProps) {
  const events = list.value?.events ?? []
  const at = events.findIndex((other) => recordName(other) === recordName(event))
  const next = at === -1 ? undefined : events[at + by]
  return (
    <Button
      icon={icon}
      class="bare"
      label={name}
      title={name}
      disabled={!next}
      onClick={() => next && openEvent({ source: next.source, eventId: next.eventId })}
    />
  )
}
