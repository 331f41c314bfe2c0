import type { Log } from '../../runtime/log.ts'
import type { Cancel, Timers } from '../../runtime/timers.ts'
import { createOutage } from './outage.ts'

export interface UpkeepParts {
  readonly timers: Timers
  readonly random: () => number
  readonly log: Log
}

const INTERVAL_MS = 3 * 60_000

/** Does a task at once and then every few minutes, not all instances at the same time; a failure is logged. */
export function createUpkeep({ timers, random, log }: UpkeepParts, task: (signal: AbortSignal) => Promise<void>) {
  const outage = createOutage(log, 'upkeep')
  const ending = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let cancel: Cancel = () => {}

  function begin(): void {
    if (!ending.signal.aborted) running = task(ending.signal).then(outage.worked, failed).then(next)
  }

  function failed(cause: unknown): void {
    if (!ending.signal.aborted) outage.failed(cause)
  }

  function next(): void {
    if (!ending.signal.aborted) cancel = timers.after(INTERVAL_MS * (0.75 + random() / 2), begin)
  }

  return {
    begin,
    /** Settles when the task does not run any more. */
    async end(): Promise<void> {
      ending.abort()
      cancel()
      await running
    },
  }
}
