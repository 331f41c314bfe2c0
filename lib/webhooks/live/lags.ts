import type { Cancel } from '../../runtime/async.ts'
import { millisecondsOf } from '../../runtime/ids.ts'
import type { Clock } from '../../runtime/time.ts'

/** How far those who watch are behind. */
export interface Lags {
  /**
   * @param waiting the position of the oldest change that a watch has not sent yet; undefined if there is none
   * @returns a function that removes the watch
   */
  add(waiting: () => bigint | undefined): Cancel
  /** Of the slowest, in milliseconds; 0 when nothing waits. */
  greatest(): number
}

export function createLags(clock: Clock): Lags {
  const watches = new Set<() => bigint | undefined>()
  return {
    add(waiting) {
      watches.add(waiting)
      return () => watches.delete(waiting)
    },
    greatest() {
      const now = clock.now().getTime()
      let greatest = 0
      for (const waiting of watches) {
        const position = waiting()
        if (position !== undefined) greatest = Math.max(greatest, now - millisecondsOf(position))
      }
      return greatest
    },
  }
}
