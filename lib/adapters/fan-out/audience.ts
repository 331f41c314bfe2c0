import type { Log } from '../../runtime/log.ts'
import type { Cancel } from '../../runtime/timers.ts'

/** A set of listeners. One that throws affects neither the others nor the publisher. */
export function createAudience<T>(log: Log) {
  const listeners = new Set<(value: T) => void>()
  return {
    add(listener: (value: T) => void): Cancel {
      // A function of its own, so that one listener twice is two.
      const own = (value: T) => listener(value)
      listeners.add(own)
      return () => listeners.delete(own)
    },
    tell(value: T): void {
      for (const listener of listeners) {
        Promise.try(listener, value).catch((cause) => log.error('fan-out: a listener failed', { cause }))
      }
    },
  }
}
