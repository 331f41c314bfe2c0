import type { Clock } from '../runtime/time.ts'
import { afterFailure, afterSuccess, type Failed, type Health, mustWrite } from './breaker.ts'
import type { HealthStore } from './stores.ts'

/** How old the known health of a destination may be, in milliseconds. */
const FRESH_FOR = 5000

/**
 * A worker's view of its destination's health, and its reports on it. A healthy destination costs no write, and one that
 * fails at most one a second and no read.
 */
export interface Circuit {
  /** @throws ServiceError `UNAVAILABLE` */
  read(): Promise<Health>
  /** @throws ServiceError `UNAVAILABLE` */
  failed(failure: Failed, at: Date): Promise<Health>
  /** @throws ServiceError `UNAVAILABLE` */
  succeeded(answer: string, at: Date): Promise<void>
}

export function createCircuit(store: HealthStore, destination: string, clock: Clock): Circuit {
  let known: { readonly health: Health; readonly at: number } | undefined
  let unwritten = 0

  function note(health: Health): Health {
    known = { health, at: clock.now().getTime() }
    return health
  }

  return {
    async read() {
      const isFresh = known !== undefined && Math.abs(clock.now().getTime() - known.at) < FRESH_FOR
      return known && isFresh ? known.health : note(await store.read(destination))
    },
    async failed(failure, at) {
      unwritten += 1
      let written = 0
      const change = (present: Health) => {
        const changed = afterFailure(present, failure, at, unwritten)
        written = mustWrite(present, changed) ? unwritten : 0
        return written > 0 ? changed : undefined
      }
      const health = await store.change(destination, change, known?.health)
      unwritten = Math.max(0, unwritten - written)
      return health === known?.health ? health : note(health)
    },
    async succeeded(answer, at) {
      unwritten = 0
      const change = (present: Health) => afterSuccess(present, answer, at)
      if (known && change(known.health)) note(await store.change(destination, change, known.health))
    },
  }
}
