import { fail, unavailable } from '../errors.ts'
import type { Cancel } from '../runtime/timers.ts'

/** Seconds after which a refused client may try again. */
const RETRY_AFTER = 5

export interface Admission {
  /** @returns what gives the place back @throws ServiceError `TOO_MANY_REQUESTS`, `UNAVAILABLE` */
  enter(name: string): Cancel
}

/** So many places in all, and for each name. */
export function createAdmission(inAll: number, perName: number): Admission {
  const taken = new Map<string, number>()
  let all = 0
  return {
    enter(name) {
      const places = taken.get(name) ?? 0
      if (places >= perName) throw fail('TOO_MANY_REQUESTS', { retryAfterSeconds: RETRY_AFTER })
      if (all >= inAll) throw unavailable(new Error('no place for another session'))
      taken.set(name, places + 1)
      all += 1
      return () => {
        const left = (taken.get(name) ?? 1) - 1
        if (left === 0) taken.delete(name)
        else taken.set(name, left)
        all -= 1
      }
    },
  }
}
