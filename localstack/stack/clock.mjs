import { openSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { env } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

/**
 * The clock of a local run, which is the system's, moved as a file of the run says. A process or a thread follows it once
 * it has imported this module with the path of the file behind `?`. Timers and durations stay as they are.
 */

/** The file: how far the clock is ahead, in ms; how often the run was reset; the time of its start, NaN for the system's. */
const AHEAD = 0
const RESETS = 1
const START = 2

/** @typedef {(state: Float64Array<ArrayBuffer>) => void} Change */

/** @param {string | undefined} file without one, the state is that of this process @returns what reads it, and writes a change */
function opened(file) {
  const state = new Float64Array([0, 0, Number.NaN])
  const descriptor = file === undefined ? undefined : openSync(file, 'r+')
  return (/** @type {Change | undefined} */ change = undefined) => {
    if (descriptor !== undefined) readSync(descriptor, state, 0, state.byteLength, 0)
    if (change === undefined) return state
    change(state)
    if (descriptor !== undefined) writeSync(descriptor, state, 0, state.byteLength, 0)
    return state
  }
}

const [, followed] = import.meta.url.split('?')
if (followed !== undefined) follow(opened(decodeURIComponent(followed)))

/** For how many milliseconds a process takes what it has read of the file: a call asks for the time often. */
const FRESH = 5

/** @param {ReturnType<typeof opened>} clock */
function follow(clock) {
  const System = Date
  const { timeOrigin } = performance
  const { now } = Date
  let [readAt, by] = [0, 0]
  const ahead = () => {
    const time = now()
    if (Math.abs(time - readAt) >= FRESH) [readAt, by] = [time, clock()[AHEAD] ?? 0]
    return by
  }
  const moved = () => now() + ahead()
  Date.now = moved
  globalThis.Date = new Proxy(System, {
    construct: (made, given, by) => Reflect.construct(made, given.length === 0 ? [moved()] : given, by),
    apply: () => new Date().toString(),
  })
  Object.defineProperty(performance, 'timeOrigin', { get: () => timeOrigin + ahead() })
}

/** @param {string} file */
const moduleOf = (file) => `${pathToFileURL(import.meta.filename).href}?${encodeURIComponent(file)}`

/** In the folder of a run. */
export const CLOCK_FILE = 'clock'

/** The variable of the processes of a run that names the file. */
const CLOCK = 'LOCAL_CLOCK'

/** Follows the clock of the run that this process belongs to. */
export async function followClock(file = env[CLOCK]) {
  if (file !== undefined) await import(moduleOf(file))
}

/**
 * Makes this process, and all that it starts from now on, follow a clock of its own.
 * @param {string} file @param {Date | undefined} start the time that it shows first
 */
export async function startClock(file, start) {
  writeFileSync(file, new Float64Array([start ? start.getTime() - Date.now() : 0, 0, start?.getTime() ?? Number.NaN]))
  env[CLOCK] = file
  env['NODE_OPTIONS'] = `${env['NODE_OPTIONS'] ?? ''} --import=${moduleOf(file)}`.trim()
  await followClock()
}

/** @type {ReturnType<typeof opened> | undefined} */
let own
const clock = () => (own ??= opened(env[CLOCK]))

/** Whether the run has a file for its clock. */
export const isMovable = () => env[CLOCK] !== undefined

/** Whether the time of the run is before the system's. */
export const isBehind = () => (clock()()[AHEAD] ?? 0) < 0

/** @param {Date} time @returns settles when every process of the run shows it */
export function setClock(time) {
  const by = time.getTime() - Date.now()
  return changed((state) => {
    state[AHEAD] = (state[AHEAD] ?? 0) + by
  })
}

/** As after the start; what {@link sinceReset} made is made again. @returns settles when every process has seen it */
export function resetClock() {
  const now = Date.now()
  return changed((state) => {
    const start = state[START] ?? Number.NaN
    state[AHEAD] = Number.isNaN(start) ? 0 : start - (now - (state[AHEAD] ?? 0))
    state[RESETS] = (state[RESETS] ?? 0) + 1
  })
}

/** @param {Change} change */
async function changed(change) {
  clock()(change)
  await setTimeout(2 * FRESH)
}

/** @template T @param {() => T} make @returns {() => T} what was made since the last reset */
export function sinceReset(make) {
  /** @type {{ readonly made: T, readonly resets: number } | undefined} */
  let last
  return () => {
    const resets = clock()()[RESETS] ?? 0
    if (last?.resets !== resets) last = { made: make(), resets }
    return last.made
  }
}
