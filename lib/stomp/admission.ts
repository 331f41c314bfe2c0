import { fail } from '../errors.ts'
import type { Cancel } from '../platform/timers.ts'

/** Seconds after which one who was turned away may come again. */
const RETRY_AFTER = 5

export interface Admission {
  /** @returns what gives the place back @throws ServiceError `TOO_MANY_REQUESTS` */
  enter(name: string): Cancel
}

/** So many places for each name. */
export function createAdmission(perName: number): Admission {
  const taken = new Map<string, number>()
  return {
    enter(name) {
      const places = taken.get(name) ?? 0
      if (places >= perName) throw fail('TOO_MANY_REQUESTS', { retryAfterSeconds: RETRY_AFTER })
      taken.set(name, places + 1)
      return () => {
        const left = (taken.get(name) ?? 1) - 1
        if (left === 0) taken.delete(name)
        else taken.set(name, left)
      }
    },
  }
}
