import { useEffect, useRef } from 'preact/hooks'
import { isSessionOver } from '../ask.ts'
import { totalOf } from '../events/calls.ts'
import { EventPane } from '../events/event-pane.tsx'
import { EventTable, ListFoot } from '../events/event-table.tsx'
import { Histogram } from '../events/histogram.tsx'
import { chosenEvent, isHelpOpen, isWalking, listenToKeys, moveBy } from '../events/keys.tsx'
import { closeEvent, go, listenToHistory, narrow, place } from '../events/navigation.tsx'
import { filterSearch, isNarrow, RANGES, rangeLabel, readPlace, USUAL_RANGE } from '../events/place.ts'
import {
  arrivals,
  type ChannelState,
  channel,
  counts,
  goLive,
  isBusy,
  list,
  readAt,
  showWaiting,
  startCounting,
  startReading,
  trouble,
  waiting,
} from '../events/reading.ts'
import { newIn } from '../events/record.ts'
import { ReplayButton, retry } from '../events/retry.tsx'
import { clearFilter, EventSearch, SEARCH_ID } from '../events/search.tsx'
import { StatusTotals } from '../events/status-totals.tsx'
import { TestEventButton, TestEventDialog } from '../events/test-events.tsx'
import { TimeRangeMenu } from '../events/time-range-menu.tsx'
import { isLocal } from '../facts.ts'
import { mount } from '../mount.tsx'
import { currentView, hasView, saveView } from '../side-menu/views.ts'
import { Badge, type Look } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { DialogButton, Field, Modal, textIn } from '../ui/dialog.tsx'
import { Empty, PageBar, Split } from '../ui/layout.tsx'
import { isPlainClick } from '../ui/links.tsx'
import { Problem } from '../ui/text.tsx'
import { shortTime } from '../ui/times.tsx'
import { tell } from '../ui/toast.tsx'

const KEYS = {
  '/': () => document.getElementById(SEARCH_ID)?.focus(),
  '?': () => (isHelpOpen.value = true),
  j: () => moveBy(1),
  k: () => moveBy(-1),
  r: () => {
    const event = chosenEvent()
    if (event?.status === 'FAILED') void retry(event)
  },
  Escape: () => {
    if (place.peek().open) closeEvent()
  },
}

/** The inbox of webhooks. */
export function WebhooksPage() {
  const rows = useRef<HTMLElement>(null)
  useEffect(() => {
    listenToHistory()
    startReading(() => isInUse(rows.current))
    startCounting()
    void goLive()
    listenToKeys(KEYS)
    listenToMenu()
  }, [])

  const { open } = place.value
  const pane = open && {
    label: open.eventId,
    content: <EventPane event={open} takesFocus={!isWalking.value} />,
  }
  return (
    <Split
      label="Events"
      list={
        <>
          <PageBar title={currentView.value?.name ?? 'Events'} note={noteText()}>
            <LiveBadge />
            <ReplayButton />
            <SaveViewButton />
            <TestEventButton />
          </PageBar>
          <div class="bar line">
            <EventSearch />
            <TimeRangeMenu />
          </div>
          <StatusTotals />
          <Histogram />
          <p class="hide" role="status">
            {arrivals}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the focus (WCAG 2.1.1) */}
          <section class="scroll rows" ref={rows} tabIndex={0} aria-label="List of events" aria-busy={isBusy.value}>
            <NewPill />
            {list.value?.events.length === 0 || <EventTable />}
            <EmptyList />
          </section>
          <ListFoot />
          <TestEventDialog />
        </>
      }
      pane={pane}
    />
  )
}

/** Whether a reader would lose the place if rows moved. */
function isInUse(rows: HTMLElement | null): boolean {
  if (place.peek().open || !rows) return place.peek().open !== undefined
  return rows.scrollTop > 0 || rows.matches(':focus-within, :hover')
}

/** `5,306 in the last 24 hours`. */
function noteText(): string | undefined {
  const { filter } = place.value
  if (!counts.value) return undefined
  const words = filter.range === 'custom' ? 'in this range' : RANGES[filter.range].words
  return `${counts.value.complete ? '' : 'at least '}${totalOf(counts.value, filter).toLocaleString('en')} ${words}`
}

/** The views in the side menu are states of this page. */
function listenToMenu(): void {
  document.querySelector('.side')?.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!isPlainClick(event as MouseEvent) || link?.pathname !== location.pathname) return
    event.preventDefault()
    go(readPlace(link.search))
  })
}

/** Shows the events that have come while rows had to stay in their place. */
function NewPill() {
  if (!waiting.value || !list.value) return null
  const { size } = newIn(waiting.value, list.value)
  if (size === 0) return null
  return (
    <Button
      icon="up"
      class="main-btn pill"
      onClick={({ currentTarget }) => {
        const rows = currentTarget.closest<HTMLElement>('.rows')
        showWaiting()
        rows?.scrollTo(0, 0)
        rows?.focus()
      }}
    >
      {size === 1 ? '1 new event' : `${size} new events`}
    </Button>
  )
}

interface Freshness extends Look {
  readonly more?: string
}

const FRESHNESS: Readonly<Record<ChannelState, Freshness>> = {
  connecting: { label: 'Connecting …', tone: 'note', icon: 'live' },
  live: { label: 'Live', tone: 'ok', icon: 'live', more: 'Changes arrive over STOMP.' },
  lost: { label: 'Every 3 s', tone: 'wait', icon: 'wait', more: 'The live connection is lost, and is tried again.' },
  polling: { label: 'Every 3 s', tone: 'note', icon: 'wait', more: 'There is no live connection.' },
}

/** Says how up to date the list is. */
function LiveBadge() {
  const { label, more, ...look } = freshness()
  return (
    <span role="status" title={more}>
      <Badge {...look} isSolid>
        {label}
        {more !== undefined && <span class="hide">. {more}</span>}
      </Badge>
    </span>
  )
}

function freshness(): Freshness {
  const age = readAt.value ? `not updated since ${shortTime(readAt.value, new Date())}` : 'not read yet'
  if (isSessionOver.value) return { label: 'Session ended', tone: 'wait', icon: 'lock', more: `The list is ${age}.` }
  if (trouble.value === undefined) return FRESHNESS[channel.value]
  return { label: `${age[0]?.toUpperCase()}${age.slice(1)}`, tone: 'bad', icon: 'warn', more: trouble.value }
}

/** Keeps the filter under a name, for the side menu of this browser. */
function SaveViewButton() {
  const search = filterSearch(place.value.filter)
  if (search === '' || hasView(search)) return null

  function save(event: SubmitEvent, close: () => void): void {
    event.preventDefault()
    const name = textIn(new FormData(event.currentTarget as HTMLFormElement), 'name')
    saveView({ name, search })
    tell({ tone: 'ok', title: `View saved: ${name}`, text: 'It is in the side menu of this browser.' })
    close()
  }

  return (
    <DialogButton
      icon="save"
      class="c3"
      dialog={(close) => (
        <Modal title="Save this view" close={close}>
          <form class="form" onSubmit={(event) => save(event, close)}>
            <Field label="Name" name="name" required maxLength={40} pattern=".*\S.*" />
            <button type="submit" class="btn main-btn">
              Save
            </button>
          </form>
        </Modal>
      )}
    >
      Save view …
    </DialogButton>
  )
}

mount(WebhooksPage)

const COMMAND = 'npx gatehouse send stripe payment_intent.succeeded'

/** Why there is no row, and what to do. */
function EmptyList() {
  const { filter } = place.value
  if (!list.value) return trouble.value === undefined ? null : <Unreadable problem={trouble.value} />
  if (list.value.events.length > 0) return null
  if (list.value.nextCursor !== null)
    return (
      <Empty title="None among the newest events">
        <p class="muted">Older events were not searched. “Older” continues.</p>
      </Empty>
    )
  if (isNarrow(filter))
    return (
      <Empty title="No event matches">
        <p class="muted">{rangeLabel(filter)}. Another range or fewer filters may find some.</p>
        <p class="row flow">
          <Button class="main-btn" onClick={clearFilter}>
            Clear filters
          </Button>
          <WiderButton />
        </p>
      </Empty>
    )
  return <NoEvent />
}

function NoEvent() {
  const { filter } = place.value
  return (
    <Empty title={`No event: ${rangeLabel(filter).toLowerCase()}`}>
      <p class="muted">Webhooks that arrive are shown here at once.</p>
      <p class="row flow">
        <TestEventButton isMain />
        <WiderButton />
      </p>
      {isLocal && (
        <p class="row flow">
          <code>{COMMAND}</code>
          <CopyButton text={COMMAND} of="the command" />
        </p>
      )}
    </Empty>
  )
}

function WiderButton() {
  if (place.value.filter.range === '30d') return null
  return (
    <Button onClick={() => narrow({ range: '30d', from: '', to: '' })}>Show {RANGES['30d'].label.toLowerCase()}</Button>
  )
}

/** Bad filters can only come with an address. */
function Unreadable({ problem }: { readonly problem: string }) {
  return (
    <Empty title="The events cannot be read">
      <Problem class="wrap" text={problem} />
      <a class="btn" href={location.pathname}>
        Show the last {RANGES[USUAL_RANGE].label.slice(5)} without a filter
      </a>
    </Empty>
  )
}
