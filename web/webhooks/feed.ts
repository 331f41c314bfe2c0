import { signal } from '@preact/signals'
import { wordsOf } from '../ask.ts'
import { isSessionOver } from '../session-call.ts'
import { announce } from './arrivals.ts'
import { findEvents, retryEvent } from './calls.ts'
import { type Change, changed, newIn, refreshed, type ShownEvents, withOlder, withRecord } from './event-list.ts'
import { type Filter, listPath, type PageAddress, readPlace, searchOf } from './place.ts'
import { type RecordKey, recordName } from './record.ts'

/** The polling intervals of the list, in milliseconds: without a channel, and behind one that sends changes. */
const POLL_MS = 3000
const HEAL_MS = 15_000

/** How long a change usually takes to reach the index of the list, in milliseconds. */
export const SETTLE_MS = 700

/** How long a filter has to stay unchanged before the list is read, in milliseconds. */
const TYPING_MS = 200

const PAGE = 50
/** The maximum page size of the API. */
const MAXIMUM = 200

export const place = signal(readPlace(location.search))

/** Undefined until the first answer to the filter. */
export const list = signal<ShownEvents | undefined>(undefined)

/** Why the list is missing or out of date. */
export const trouble = signal<string | undefined>(undefined)

/** The result of the user's last order. */
export const notice = signal<string | undefined>(undefined)

/** The events with a pending retry order. */
export const ordered = signal<ReadonlySet<string>>(new Set())

/** Whether a channel sends changes; the list is then read only to add what the channel missed. */
export const isTold = signal(false)

/** Counts the reads: only the answer of the latest one counts. */
let turn = 0
let timer: number | undefined
let dueAt = Number.POSITIVE_INFINITY

/** Keeps the list up to date while the page is visible. */
export function startFeed(): void {
  void read()
  document.addEventListener('visibilitychange', () => refreshWithin(0))
}

export function narrow(filter: Filter): void {
  go({ ...place.peek(), filter })
}

export function openEvent(open: RecordKey | undefined): void {
  go({ ...place.peek(), open })
}

function go(to: PageAddress): void {
  const isNarrowed = to.filter !== place.peek().filter
  history.replaceState(null, '', `${location.pathname}${searchOf(to)}`)
  place.value = to
  if (!isNarrowed) return
  list.value = undefined
  trouble.value = undefined
  turn++
  clearTimeout(timer)
  dueAt = Number.POSITIVE_INFINITY
  refreshWithin(TYPING_MS)
}

/** Reads the list if the page is visible, then waits for the next time. */
async function read(): Promise<void> {
  clearTimeout(timer)
  dueAt = Number.POSITIVE_INFINITY
  if (document.hidden || isSessionOver.peek()) return
  const mine = ++turn
  const { list: found, trouble: problem } = await newest()
  if (mine !== turn) return
  trouble.value = isSessionOver.peek() ? undefined : problem
  if (found) take(found)
  refreshWithin(isTold.peek() ? HEAL_MS : POLL_MS)
}

/** The newest part of the list: as much as is shown, up to the API's maximum. */
async function newest(): Promise<{ readonly list?: ShownEvents; readonly trouble?: string }> {
  const limit = Math.min(MAXIMUM, Math.max(PAGE, list.peek()?.events.length ?? 0))
  try {
    return { list: await findEvents(listPath(place.peek().filter, { limit })) }
  } catch (error) {
    return { trouble: wordsOf(error) }
  }
}

function take(found: ShownEvents): void {
  const known = list.peek()
  list.value = known ? refreshed(known, found) : found
  if (known) announce(newIn(list.value, known))
}

/** Reads the list again within the given milliseconds. */
export function refreshWithin(milliseconds: number): void {
  const at = Date.now() + milliseconds
  if (at >= dueAt) return
  clearTimeout(timer)
  dueAt = at
  timer = setTimeout(() => void read(), milliseconds)
}

/** Reads the page after the list. */
export async function readOlder(): Promise<void> {
  const { filter } = place.peek()
  const cursor = list.peek()?.nextCursor
  if (cursor == null) return
  try {
    const page = await findEvents(listPath(filter, { limit: PAGE, cursor }))
    const known = list.peek()
    if (filter === place.peek().filter && known?.nextCursor === cursor) list.value = withOlder(known, page)
  } catch (error) {
    trouble.value = wordsOf(error)
  }
}

/** Shows a change from a channel, and lets the next read of the list add the rest. */
export function hear(change: Change): void {
  const known = list.peek()
  if (!known) return
  list.value = changed(known, change, place.peek().filter)
  announce(newIn(list.value, known))
  refreshWithin(SETTLE_MS)
}

/** Makes a failed event run again now. */
export async function retry(key: RecordKey): Promise<void> {
  const name = recordName(key)
  if (ordered.peek().has(name)) return
  ordered.value = new Set([...ordered.peek(), name])
  try {
    const record = await retryEvent(key)
    const known = list.peek()
    if (known) list.value = withRecord(known, record)
    notice.value = `${key.eventId} runs again.`
    refreshWithin(SETTLE_MS)
  } catch (error) {
    notice.value = `${key.eventId}: ${wordsOf(error)}`
  } finally {
    ordered.value = new Set([...ordered.peek()].filter((other) => other !== name))
  }
}
