/** What is asked of Node's messages. */
interface Emitter {
  once(event: 'end' | 'close', listener: () => void): unknown
}

/** As many calls as may be under way at a time, like the instances that an account lets Lambda run. */
export interface Room {
  readonly isFull: boolean
  /** Counts a call from when its request has arrived as a whole, until its answer is over, given or not. */
  enter(request: Emitter & { readonly complete: boolean }, answer: Emitter): void
}

export function roomFor(most: number): Room {
  let inside = 0
  return {
    get isFull() {
      return inside >= most
    },
    enter(request, answer) {
      const count = () => {
        inside += 1
        answer.once('close', () => {
          inside -= 1
        })
      }
      // Whoever never ends a request would take up room for nothing.
      if (request.complete) count()
      else request.once('end', count)
    },
  }
}
