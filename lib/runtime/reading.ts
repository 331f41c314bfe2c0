import type { Cancel, Timers } from './timers.ts'

interface Parts {
  readonly timers: Timers
  /** Milliseconds between two reads. */
  readonly pause: number
  /** Called when somebody joins and nobody else has. */
  begin(): void
  /**
   * Must not reject.
   * @param round 0, 1, 2 and so on since the last beginning
   * @param isOver whether all for whom it reads have left meanwhile: then it must change nothing
   */
  read(round: number, isOver: () => boolean): Promise<void>
}

/** Reads again and again while somebody has joined, and not at all otherwise. */
export interface Reading {
  join(): Cancel
  /** The first read since the last beginning. */
  first(): Promise<void> | undefined
}

export function createReading({ timers, pause, begin, read }: Parts): Reading {
  let joined = 0
  /** Those who joined last while nobody else had. */
  let turn: object | undefined
  let first: Promise<void> | undefined
  let cancel: Cancel = () => {}

  async function keepReading(own: object): Promise<void> {
    const isOver = () => turn !== own
    for (let round = 0; !isOver(); round++) {
      const work = read(round, isOver)
      if (round === 0) first = work
      await work
      if (isOver()) return
      const { promise, resolve } = Promise.withResolvers<void>()
      cancel = timers.after(pause, resolve)
      await promise
    }
  }

  function leave(): void {
    joined -= 1
    if (joined > 0) return
    turn = undefined
    cancel()
  }

  return {
    join() {
      joined += 1
      if (joined === 1) {
        begin()
        turn = {}
        void keepReading(turn)
      }
      let isLeft = false
      return () => {
        if (!isLeft) leave()
        isLeft = true
      }
    },
    first: () => first,
  }
}
