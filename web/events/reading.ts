import { effect, signal } from '@preact/signals'
import type { liveTicket } from '../../lib/contract/answers/accounts.ts'
import { ask, isSessionOver, type Response, wordsOf } from '../ask.ts'
import { facts } from '../facts.ts'
import { CallRefused } from '../problem.ts'
import { menuCounts, ofTotals } from '../side-menu/menu.tsx'
import { viewSearch } from '../side-menu/views.ts'
import { type Counts, fetchCounts } from './calls.ts'
import { place, skipped } from './navigation.tsx'
import { countPath, filterSearch, listPath, searchOf } from './place.ts'
import { type Change, changed, type EventsResponse, inPlace, newIn, type ShownEvents } from './record.ts'

/** The polling intervals of the list, in milliseconds: without a channel, and behind one that sends changes. */
const POLL_MS = 3000
const HEAL_MS = 15_000

/** How long a change usually takes to reach the index of the list, in milliseconds. */
export const INDEX_DELAY_MS = 700

/** How long a filter has to stay unchanged before the list is read, in milliseconds. */
const TYPING_MS = 200

const PAGE = 50
/** The maximum page size of the API. */
const MAXIMUM = 200

/** Undefined until the first answer. */
export const list = signal<ShownEvents | undefined>(undefined)

/** The list with events that wait to be shown, as rows must not move under the pointer. */
export const waiting = signal<ShownEvents | undefined>(undefined)

/** The names of the events that came last. */
export const fresh = signal<ReadonlySet<string>>(new Set())

/** Whether the list is still that of another filter. */
export const isBusy = signal(true)

/** Why the list is missing or out of date. */
export const trouble = signal<string | undefined>(undefined)

/** When the list was read. */
export const readAt = signal<Date | undefined>(undefined)

/** Whether a channel sends changes; the list is then read only to add what the channel missed. */
const hasChannel = signal(false)

/** Counts the reads: only the answer of the latest one counts. */
let turn = 0
let timer: number | undefined
let dueAt = Number.POSITIVE_INFINITY
let areRowsFixed = () => false

/** Keeps the list up to date while the page is visible. @param rowsFixed whether rows have to stay where they are */
export function startReading(rowsFixed: () => boolean): void {
  areRowsFixed = rowsFixed
  let shown: string | undefined
  effect(() => {
    const current = searchOf({ ...place.value, open: undefined })
    if (current !== shown) restart(shown === undefined ? 0 : TYPING_MS)
    shown = current
  })
  document.addEventListener('visibilitychange', () => refreshWithin(0))
}

function restart(milliseconds: number): void {
  isBusy.value = true
  waiting.value = undefined
  trouble.value = undefined
  turn++
  clearTimeout(timer)
  dueAt = Number.POSITIVE_INFINITY
  refreshWithin(milliseconds)
}

/** Reads the list if the page is visible, then waits for the next time. */
async function read(): Promise<void> {
  clearTimeout(timer)
  dueAt = Number.POSITIVE_INFINITY
  if (document.hidden || isSessionOver.peek()) return
  const mine = ++turn
  const { found, problem } = await newest()
  if (mine !== turn) return
  trouble.value = isSessionOver.peek() ? undefined : problem
  if (found) take(found)
  refreshWithin(hasChannel.peek() ? HEAL_MS : POLL_MS)
}

async function newest(): Promise<{ readonly found?: ShownEvents; readonly problem?: string }> {
  const { filter, cursor } = place.peek()
  const before = skipped.peek()
  const known = waiting.peek() ?? list.peek()
  const limit = cursor === undefined && waiting.peek() ? Math.min(MAXIMUM, PAGE + (known?.events.length ?? 0)) : PAGE
  const { path, from } = listPath(filter, { now: new Date(), limit, cursor })
  try {
    return { found: { ...(await ask<EventsResponse>(path)), from, before } }
  } catch (error) {
    return { problem: wordsOf(error) }
  }
}

function take(found: ShownEvents): void {
  readAt.value = new Date()
  const known = isBusy.peek() ? undefined : list.peek()
  isBusy.value = false
  const more = known ? newIn(found, known) : new Set<string>()
  if (known) announce(newIn(found, waiting.peek() ?? known).size)
  if (known && known.events.length > 0 && areRowsFixed()) {
    list.value = inPlace(known, found)
    waiting.value = more.size > 0 ? found : undefined
  } else show(found, more)
}

function show(found: ShownEvents, more: ReadonlySet<string>): void {
  list.value = found
  waiting.value = undefined
  fresh.value = more
}

/** Shows the events that wait. */
export function showWaiting(): void {
  const [found, known] = [waiting.peek(), list.peek()]
  if (found && known) show(found, newIn(found, known))
}

/** Reads the list again within the given milliseconds. */
export function refreshWithin(milliseconds: number): void {
  const at = Date.now() + milliseconds
  if (at >= dueAt) return
  clearTimeout(timer)
  dueAt = at
  timer = setTimeout(() => void read(), milliseconds)
}

/** Shows a change from a channel, and lets the next read of the list add the rest. */
function applyChange(change: Change): void {
  const known = list.peek()
  if (known) list.value = changed(known, change)
  refreshWithin(INDEX_DELAY_MS)
}

/** The shortest time between two announcements, in milliseconds. */
const ANNOUNCE_MS = 5000

/** The number of recent events, for users who cannot see them arrive. */
export const arrivals = signal('')

let unannounced = 0

/** Announces new events, together with those that follow soon. */
export function announce(more: number): void {
  if (unannounced === 0 && more > 0) setTimeout(announceAll, ANNOUNCE_MS)
  unannounced += more
}

function announceAll(): void {
  arrivals.value = unannounced === 1 ? '1 new event' : `${unannounced} new events`
  unannounced = 0
}

/** What is counted costs a look at each event: not oftener than this, in milliseconds. */
const COUNT_MS = 10_000

/** Of the filter, in every status; undefined until the first answer. */
export const counts = signal<Counts | undefined>(undefined)

let countTurn = 0
let countTimer: number | undefined
let isCountDue = false

/** Counts again when the filter demands it, and after changes of the list. */
export function startCounting(): void {
  let shown: string | undefined
  effect(() => {
    const current = filterSearch({ ...place.value.filter, status: [], dead: '' })
    if (current !== shown) countWithin(shown === undefined ? 0 : TYPING_MS)
    shown = current
  })
  list.subscribe((found) => {
    if (found && !isCountDue) countWithin(COUNT_MS)
  })
}

function countWithin(milliseconds: number): void {
  isCountDue = true
  clearTimeout(countTimer)
  countTimer = setTimeout(() => void count(), milliseconds)
}

async function count(): Promise<void> {
  isCountDue = false
  if (document.hidden || isSessionOver.peek()) return
  const mine = ++countTurn
  try {
    const found = await fetchCounts(countPath(place.peek().filter, new Date()))
    if (mine !== countTurn) return
    counts.value = found
    if (viewSearch.peek() === '') menuCounts.value = { ...menuCounts.peek(), events: ofTotals(found) }
  } catch (error) {
    // The list says what is wrong.
    if (!(error instanceof CallRefused)) throw error
  }
}

/** How the page receives changes: over the STOMP channel, or by polling. */
export type ChannelState = 'connecting' | 'live' | 'lost' | 'polling'

export const channel = signal<ChannelState>(facts.stompUrl === null ? 'polling' : 'connecting')

/** Subscribes to changes if there is a channel. */
export async function goLive(): Promise<void> {
  if (facts.stompUrl === null) return
  const { watchWebhooks } = await import('./watch.ts')
  watchWebhooks({
    url: facts.stompUrl,
    getTicket,
    onChange: applyChange,
    onState: (state) => become(state === 'refused' ? 'polling' : state),
  })
}

/** A ticket of the session; what goes wrong is tried again, unless the session has ended. */
async function getTicket(): Promise<string | undefined> {
  if (isSessionOver.peek()) return undefined
  try {
    const { ticket } = await ask<Response<typeof liveTicket>>('/api/live-ticket', { method: 'POST' })
    return ticket
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error
    // An empty ticket is refused, and the next attempt comes later.
    return isSessionOver.peek() ? undefined : ''
  }
}

function become(state: ChannelState): void {
  if (channel.peek() === state) return
  channel.value = state
  hasChannel.value = state === 'live'
  refreshWithin(0)
}
