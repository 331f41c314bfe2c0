import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { viewSearch } from '../side-menu/views.ts'
import { LocalLink } from '../ui/links.tsx'
import { ForeignCode } from '../ui/text.tsx'
import { type Filter, filterSearch, type PageAddress, readPlace, searchOf, type Tab } from './place.ts'
import { type RecordKey, recordName } from './record.ts'

/** What the page shows, as its address says. */
export const place = signal(readPlace(location.search))

/** How many events are before the page of the list that is shown; undefined where a link led to it. */
export const skipped = signal(skippedIn(history.state))

/** Whether the current entry of the history was made by typing: what is typed on belongs to it. */
let isTyping = false

viewSearch.value = filterSearch(place.peek().filter)

export function listenToHistory(): void {
  addEventListener('popstate', ({ state }) => become(readPlace(location.search), skippedIn(state)))
}

/** Each state is an entry of the browser's history, so that Back and Forward walk through them. */
export function go(to: PageAddress, before = 0): void {
  history.pushState({ before }, '', placeAddress(to))
  become(to, before)
}

/** Shows what matches a filter, from the newest on. */
export function narrow(changes: Partial<Filter>): void {
  const { filter, open, tab } = place.peek()
  go({ filter: { ...filter, ...started(filter), ...changes }, open, tab })
}

/** Searches as it is typed: one entry of the history until something else is done. */
export function search(q: string): void {
  const { filter, open, tab } = place.peek()
  if (q === filter.q) return
  const to = { filter: { ...filter, ...started(filter), q }, open, tab }
  if (isTyping) history.replaceState({ before: 0 }, '', placeAddress(to))
  else history.pushState({ before: 0 }, '', placeAddress(to))
  become(to, 0)
  isTyping = true
}

/** Without an event it closes the open one. */
export function openEvent(open: RecordKey | undefined): void {
  const { tab, ...rest } = place.peek()
  go({ ...rest, open, tab: open ? tab : 'overview' }, skipped.peek())
}

export function openTab(tab: Tab): void {
  go({ ...place.peek(), tab }, skipped.peek())
}

export function placeAddress(to: PageAddress): string {
  return `${location.pathname}${searchOf(to)}`
}

/** An older page fixed where its range begins. */
function started({ range }: Filter): Partial<Filter> {
  return range === 'custom' ? {} : { from: '' }
}

function become(to: PageAddress, before: number | undefined): void {
  isTyping = false
  skipped.value = before
  place.value = to
  viewSearch.value = filterSearch(to.filter)
}

function skippedIn(state: unknown): number | undefined {
  const { before }: { readonly before?: number } = Object(state)
  return before ?? (new URLSearchParams(location.search).has('cursor') ? undefined : 0)
}

/** The id of an event, as a link that opens it beside the list. */
export function EventLink({ event }: { readonly event: RecordKey }) {
  return (
    <LocalLink address={placeAddress({ ...place.value, open: event })} follow={() => openEvent(event)}>
      <ForeignCode text={event.eventId} />
    </LocalLink>
  )
}

/** The address of a tab of the open event. */
export function tabAddress(tab: Tab): string {
  return `${location.pathname}${searchOf({ ...place.value, tab })}`
}

/** A link to another tab of the open event. */
export function TabLink({ tab, children }: { readonly tab: Tab; readonly children: ComponentChildren }) {
  return (
    <LocalLink class="small" address={tabAddress(tab)} follow={() => openTab(tab)}>
      {children}
    </LocalLink>
  )
}

/** Closes the open event, and returns the focus to its row. */
export function closeEvent(): void {
  const { open } = place.peek()
  openEvent(undefined)
  const name = open && recordName(open)
  const rows = Array.from(document.querySelectorAll<HTMLElement>('[data-event]'))
  rows.find((row) => row.dataset['event'] === name)?.focus()
}
