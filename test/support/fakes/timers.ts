import type { Timers } from '../../../lib/runtime/async.ts'
import { type FixedClock, fixedClock } from './clock.ts'

interface Timer {
  readonly at: number
  readonly run: () => void
}

export interface VirtualTime {
  readonly clock: FixedClock
  readonly timers: Timers
  /** Lets time pass, and runs what becomes due in its order, each at its own time. */
  pass(milliseconds: number): void
  /** How many timers are set. */
  pending(): number
}

/** More than any test lets become due at once. */
const MAXIMUM_FIRED = 10_000

export function virtualTime(clock: FixedClock = fixedClock()): VirtualTime {
  const set = new Set<Timer>()
  const now = () => clock.now().getTime()
  return {
    clock,
    timers: {
      after(milliseconds, run) {
        const timer = { at: now() + milliseconds, run }
        set.add(timer)
        return () => set.delete(timer)
      },
    },
    pass(milliseconds) {
      const end = now() + milliseconds
      for (let fired = 0; fired < MAXIMUM_FIRED; fired++) {
        const [next] = [...set].sort((one, other) => one.at - other.at)
        if (!next || next.at > end) {
          clock.advance(end - now())
          return
        }
        clock.advance(Math.max(0, next.at - now()))
        set.delete(next)
        next.run()
      }
      throw new Error('timers become due without end')
    },
    pending: () => set.size,
  }
}
