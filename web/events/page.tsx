import { useEffect, useRef } from 'preact/hooks'
import { currentView } from '../side-menu/views.ts'
import { PageBar } from '../ui/page-bar.tsx'
import { isPlainClick } from '../ui/plain-click.ts'
import { Split } from '../ui/split.tsx'
import { arrivals } from './arrivals.ts'
import { goLive } from './channel.ts'
import { counts, startCounting } from './counts.ts'
import { closeEvent } from './detail/close.ts'
import { EventPane } from './detail/pane.tsx'
import { EmptyList } from './empty-list.tsx'
import { EventTable } from './event-table.tsx'
import { Histogram } from './histogram.tsx'
import { chosenEvent, isHelpOpen, isWalking, listenToKeys, moveBy } from './keys.ts'
import { ListFoot } from './list-foot.tsx'
import { LiveBadge } from './live-badge.tsx'
import { go, listenToHistory, place } from './navigation.ts'
import { NewPill } from './new-pill.tsx'
import { readPlace } from './place.ts'
import { isBusy, list, startReading } from './reading.ts'
import { ReplayButton } from './replay-dialog.tsx'
import { retry } from './retry.ts'
import { SaveViewButton } from './saved-view.tsx'
import { EventSearch, SEARCH_ID } from './search-field.tsx'
import { StatusTotals } from './status-totals.tsx'
import { TestEventButton, TestEventDialog } from './test-event-dialog.tsx'
import { RANGES } from './time-range.ts'
import { TimeRangeMenu } from './time-range-menu.tsx'

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
