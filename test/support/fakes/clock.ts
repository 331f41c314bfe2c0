import type { Clock } from '../../../lib/runtime/time.ts'

export const START = new Date('2026-01-02T03:04:05.000Z')

/** A clock that stands still until it is told to go on. */
export interface FixedClock extends Clock {
  advance(milliseconds: number): void
}

export function fixedClock(start: Date = START): FixedClock {
  let time = start.getTime()
  return {
    now: () => new Date(time),
    advance(milliseconds) {
      time += milliseconds
    },
  }
}
