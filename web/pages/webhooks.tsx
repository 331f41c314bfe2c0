import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { isSessionOver } from '../ask.ts'
import { type ChannelState, channel, goLive } from '../events/channel.ts'
import { EmptyList } from '../events/empty-list.tsx'
import { EventPane } from '../events/event-pane.tsx'
import { EventTable, ListFoot } from '../events/event-table.tsx'
import { Histogram } from '../events/histogram.tsx'
import { chosenEvent, isHelpOpen, isWalking, listenToKeys, moveBy } from '../events/keys.tsx'
import { closeEvent, go, listenToHistory, place } from '../events/navigation.tsx'
import { filterSearch, RANGES, readPlace } from '../events/place.ts'
import {
  arrivals,
  counts,
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
import { EventSearch, SEARCH_ID } from '../events/search.tsx'
import { StatusTotals } from '../events/status-totals.tsx'
import { TestEventButton, TestEventDialog } from '../events/test-events.tsx'
import { TimeRangeMenu } from '../events/time-range-menu.tsx'
import { mount } from '../mount.tsx'
import { currentView, hasView, saveView } from '../side-menu/views.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Modal } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageBar, Split } from '../ui/layout.tsx'
import { isPlainClick } from '../ui/links.tsx'
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

/** Whether somebody would lose the place if rows moved. */
function isInUse(rows: HTMLElement | null): boolean {
  if (place.peek().open || !rows) return place.peek().open !== undefined
  return rows.scrollTop > 0 || rows.matches(':focus-within, :hover')
}

/** `5,306 in the last 24 hours`. */
function noteText(): string | undefined {
  const { status, range } = place.value.filter
  if (!counts.value) return undefined
  const { totals, complete } = counts.value
  const total = Object.entries(totals.status)
    .filter(([name]) => status.length === 0 || status.some((each) => each === name))
    .reduce((sum, [, count]) => sum + count, 0)
  const words = range === 'custom' ? 'in this range' : RANGES[range].words
  return `${complete ? '' : 'at least '}${total.toLocaleString('en')} ${words}`
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
    <button
      type="button"
      class="btn main-btn pill"
      onClick={({ currentTarget }) => {
        const rows = currentTarget.closest<HTMLElement>('.rows')
        showWaiting()
        rows?.scrollTo(0, 0)
        rows?.focus()
      }}
    >
      <Icon name="up" />
      {size === 1 ? '1 new event' : `${size} new events`}
    </button>
  )
}

interface Wording {
  readonly text: string
  readonly tone: Tone
  readonly icon: string
  readonly more?: string
}

const WORDINGS: Readonly<Record<ChannelState, Wording>> = {
  connecting: { text: 'Connecting …', tone: 'note', icon: 'live' },
  live: { text: 'Live', tone: 'ok', icon: 'live', more: 'Changes arrive over STOMP.' },
  lost: { text: 'Every 3 s', tone: 'wait', icon: 'wait', more: 'The live connection is lost, and is tried again.' },
  polling: { text: 'Every 3 s', tone: 'note', icon: 'wait', more: 'There is no live connection.' },
}

/** Says how up to date the list is. */
function LiveBadge() {
  const { text, tone, icon, more } = wording()
  return (
    <span role="status" title={more}>
      <Badge tone={tone} icon={icon} isSolid>
        {text}
        {more !== undefined && <span class="hide">. {more}</span>}
      </Badge>
    </span>
  )
}

function wording(): Wording {
  const age = readAt.value ? `not updated since ${shortTime(readAt.value, new Date())}` : 'not read yet'
  if (isSessionOver.value) return { text: 'Session ended', tone: 'wait', icon: 'lock', more: `The list is ${age}.` }
  if (trouble.value === undefined) return WORDINGS[channel.value]
  return { text: `${age[0]?.toUpperCase()}${age.slice(1)}`, tone: 'bad', icon: 'warn', more: trouble.value }
}

/** Keeps the filter under a name, for the side menu of this browser. */
function SaveViewButton() {
  const isOpen = useSignal(false)
  const search = filterSearch(place.value.filter)
  if (search === '' || hasView(search)) return null

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get('name')).trim()
    saveView({ name, search })
    tell({ tone: 'ok', title: `View saved: ${name}`, text: 'It is in the side menu of this browser.' })
    isOpen.value = false
  }

  return (
    <>
      <button type="button" class="btn c3" onClick={() => (isOpen.value = true)}>
        <Icon name="save" />
        Save view …
      </button>
      {isOpen.value && (
        <Modal title="Save this view" close={() => (isOpen.value = false)}>
          <form class="form" onSubmit={submit}>
            <label for="view-name">Name</label>
            <div class="field">
              <input id="view-name" name="name" required maxLength={40} pattern=".*\S.*" />
            </div>
            <button type="submit" class="btn main-btn">
              Save
            </button>
          </form>
        </Modal>
      )}
    </>
  )
}

mount(WebhooksPage)
