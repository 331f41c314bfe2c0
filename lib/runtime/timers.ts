/** Cancels a timer; does nothing if it was canceled or has run. */
export type Cancel = () => void

export interface Timers {
  after(milliseconds: number, run: () => void): Cancel
}

/** A longer delay overflows in Node and runs at once: 2^31 - 1 ms, 24.8 days. */
export const LONGEST_MS = 2 ** 31 - 1

/** Timers of any length, built from those of the platform. */
export function timersOf(start: (run: () => void, milliseconds: number) => Cancel): Timers {
  return {
    after(milliseconds, run) {
      let cancel: Cancel = () => {}
      const arm = (remaining: number): void => {
        const slice = Math.min(remaining, LONGEST_MS)
        const next = slice < remaining ? () => arm(remaining - slice) : run
        cancel = start(next, slice)
      }
      arm(Math.max(0, milliseconds))
      return () => cancel()
    },
  }
}

export const systemTimers: Timers = timersOf((run, milliseconds) => {
  const timer = setTimeout(run, milliseconds)
  return () => clearTimeout(timer)
})
