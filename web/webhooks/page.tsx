import { useEffect } from 'preact/hooks'
import { arrivals } from './arrivals.ts'
import { ChannelLine } from './channel-line.tsx'
import { Chart } from './chart.tsx'
import { close, EventPanel } from './event-panel.tsx'
import { EventRows } from './event-rows.tsx'
import { list, notice, place, retry, startFeed, trouble } from './feed.ts'
import { FilterForm, SEARCH_ID } from './filter-form.tsx'
import { areKeysOn, focusedEvent, listenToKeys, moveBy, toggleKeys } from './keys.ts'
import { recordName } from './record.ts'
import { ReplayButton, ReplayCard } from './replay-card.tsx'
import { SendHint } from './send-hint.tsx'
import { TestEventCard } from './test-event-card.tsx'

const KEYS = {
  '/': () => document.getElementById(SEARCH_ID)?.focus(),
  j: () => moveBy(1),
  k: () => moveBy(-1),
  r: retryChosen,
  Escape: close,
}

/** The page for operators of webhooks. */
export function WebhooksPage() {
  useEffect(() => {
    startFeed()
    listenToKeys(KEYS)
  }, [])

  return (
    <div class="webhooks" data-open={place.value.open !== undefined}>
      <search>
        <FilterForm />
      </search>
      <Chart />
      <div class="master">
        <div class="inline">
          <ChannelLine />
          {list.value && <span class="muted">{list.value.events.length} shown</span>}
          <ReplayButton />
        </div>
        <p class="visually-hidden" role="status">
          {arrivals}
        </p>
        <p class="muted" role="status">
          {notice}
        </p>
        {trouble.value !== undefined && (
          <p class="notice" data-tone="bad" role="alert">
            {trouble}
          </p>
        )}
        <ReplayCard />
        <TestEventCard />
        <EventRows />
      </div>
      <EventPanel />
      <footer class="muted">
        <KeysLine />
        {list.value?.events.length !== 0 && <SendHint />}
      </footer>
    </div>
  )
}

function KeysLine() {
  return (
    <p>
      <kbd>/</kbd> search, <kbd>j</kbd> <kbd>k</kbd> next and previous, <kbd>Enter</kbd> open, <kbd>r</kbd> retry,{' '}
      <kbd>Esc</kbd> close{' '}
      <label>
        <input type="checkbox" checked={areKeysOn} onChange={toggleKeys} /> Use keys
      </label>
    </p>
  )
}

/** Retries the focused event, or the open one if none has the focus. */
function retryChosen(): void {
  const { open } = place.peek()
  const name = focusedEvent() ?? (open && recordName(open))
  const event = list.peek()?.events.find((other) => recordName(other) === name)
  if (event?.status === 'FAILED') void retry(event)
}
