import { unavailable } from '../errors.ts'

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

export const systemTimers: Timers = /* @__PURE__ */ timersOf((run, milliseconds) => {
  const timer = setTimeout(run, milliseconds)
  return () => clearTimeout(timer)
})

/**
 * Waits for work, but no longer than so many milliseconds; then its signal aborts.
 * @throws ServiceError `UNAVAILABLE` when the time is over; what the work throws
 */
export async function withTimeout(
  timers: Timers,
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController()
  const tooLate = Promise.withResolvers<never>()
  const cancel = timers.after(milliseconds, () => {
    tooLate.reject(unavailable(new Error(`took longer than ${milliseconds} ms`)))
    controller.abort()
  })
  try {
    await Promise.race([work(controller.signal), tooLate.promise])
  } finally {
    cancel()
  }
}

/**
 * As `Promise.all`, but waits for all of them even if one fails: what still runs when a handler returns is frozen with the
 * process by Lambda.
 * @returns their values, in order
 * @throws what the first of them failed with
 */
export async function settleAll<T extends readonly unknown[] | []>(work: T) {
  await Promise.allSettled(work)
  return Promise.all(work)
}

interface Parts {
  readonly timers: Timers
  /** Milliseconds between two reads. */
  readonly pause: number
  /** Called when the first one joins. */
  begin(): void
  /**
   * Must not reject.
   * @param round 0, 1, 2 and so on since the last beginning
   * @param isOver whether all for whom it reads have left meanwhile: then it must change nothing
   */
  read(round: number, isOver: () => boolean): Promise<void>
}

/** Reads again and again while a listener has joined, and not at all otherwise. */
export interface Reading {
  join(): Cancel
  /** The first read since the last beginning. */
  first(): Promise<void> | undefined
}

export function createReading({ timers, pause, begin, read }: Parts): Reading {
  let joined = 0
  /** Those who joined last as the only ones. */
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
