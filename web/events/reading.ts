import { effect, signal } from '@preact/signals'
import { isSessionOver, wordsOf } from '../ask.ts'
import { announce } from './arrivals.ts'
import { findEvents } from './calls.ts'
import { type Change, changed, inPlace, newIn, type ShownEvents } from './event-list.ts'
import { place, skipped } from './navigation.ts'
import { listPath, searchOf } from './place.ts'

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
export const isTold = signal(false)

/** Counts the reads: only the answer of the latest one counts. */
let turn = 0
let timer: number | undefined
let dueAt = Number.POSITIVE_INFINITY
let isHeld = () => false

/** Keeps the list up to date while the page is visible. @param held whether rows have to stay where they are */
export function startReading(held: () => boolean): void {
  isHeld = held
  let shown: string | undefined
  effect(() => {
    const wanted = searchOf({ ...place.value, open: undefined })
    if (wanted !== shown) restart(shown === undefined ? 0 : TYPING_MS)
    shown = wanted
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
  refreshWithin(isTold.peek() ? HEAL_MS : POLL_MS)
}

async function newest(): Promise<{ readonly found?: ShownEvents; readonly problem?: string }> {
  const { filter, cursor } = place.peek()
  const before = skipped.peek()
  const known = waiting.peek() ?? list.peek()
  const limit = cursor === undefined && waiting.peek() ? Math.min(MAXIMUM, PAGE + (known?.events.length ?? 0)) : PAGE
  const { path, from } = listPath(filter, { now: new Date(), limit, cursor })
  try {
    return { found: { ...(await findEvents(path)), from, before } }
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
  if (known && known.events.length > 0 && isHeld()) {
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
export function hear(change: Change): void {
  const known = list.peek()
  if (known) list.value = changed(known, change)
  refreshWithin(SETTLE_MS)
}
