import { effect, signal } from '@preact/signals'
import { isSessionOver } from '../ask.ts'
import { CallRefused } from '../problem.ts'
import { type Counts, fetchCounts } from './calls.ts'
import { place } from './navigation.ts'
import { countPath, EVERYTHING, filterSearch } from './place.ts'
import { list } from './reading.ts'

/** What is counted costs a look at each event: not oftener than this, in milliseconds. */
const PAUSE_MS = 10_000
const TYPING_MS = 200

/** Of the range, sources and types of the filter; undefined until the first answer. */
export const counts = signal<Counts | undefined>(undefined)

let turn = 0
let timer: number | undefined
let isDue = false

/** Counts again when the filter demands it, and after changes of the list. */
export function startCounting(): void {
  let shown: string | undefined
  effect(() => {
    const { range, from, to, source, type } = place.value.filter
    const wanted = filterSearch({ ...EVERYTHING, range, from, to, source, type })
    if (wanted !== shown) later(shown === undefined ? 0 : TYPING_MS)
    shown = wanted
  })
  list.subscribe((found) => {
    if (found && !isDue) later(PAUSE_MS)
  })
}

function later(milliseconds: number): void {
  isDue = true
  clearTimeout(timer)
  timer = setTimeout(() => void count(), milliseconds)
}

async function count(): Promise<void> {
  isDue = false
  if (document.hidden || isSessionOver.peek()) return
  const mine = ++turn
  try {
    const found = await fetchCounts(countPath(place.peek().filter, new Date()))
    if (mine === turn) counts.value = found
  } catch (error) {
    // The list says what is wrong.
    if (!(error instanceof CallRefused)) throw error
  }
}
