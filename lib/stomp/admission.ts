import { fail, unavailable } from '../errors.ts'
import type { Cancel } from '../runtime/timers.ts'

/** Seconds after which a refused client may try again. */
const RETRY_AFTER = 5

export interface Admission {
  /** Places that are taken. */
  readonly taken: number
  /** @returns what gives the place back @throws ServiceError `TOO_MANY_REQUESTS`, `UNAVAILABLE` */
  enter(name: string): Cancel
}

/** So many places in all, and for each name. */
export function createAdmission(inAll: number, perName: number): Admission {
  const byName = new Map<string, number>()
  let all = 0
  return {
    get taken() {
      return all
    },
    enter(name) {
      const places = byName.get(name) ?? 0
      if (places >= perName) throw fail('TOO_MANY_REQUESTS', { retryAfterSeconds: RETRY_AFTER })
      if (all >= inAll) throw unavailable(new Error('no place for another session'))
      byName.set(name, places + 1)
      all += 1
      return () => {
        const left = (byName.get(name) ?? 1) - 1
        if (left === 0) byName.delete(name)
        else byName.set(name, left)
        all -= 1
      }
    },
  }
}
