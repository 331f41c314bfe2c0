import type { EventEmitter } from 'node:events'

/** As many calls as may be under way at a time, like the instances that an account lets Lambda run. */
export interface Room {
  /** Whether there is room for one more, which leaves when its answer is over, given or not. */
  enter(answer: Pick<EventEmitter, 'once'>): boolean
}

export function roomFor(most: number): Room {
  let inside = 0
  return {
    enter(answer) {
      if (inside >= most) return false
      inside += 1
      answer.once('close', () => {
        inside -= 1
      })
      return true
    },
  }
}
