import { fail } from '../errors.ts'
import type { Clock } from '../runtime/clock.ts'

interface Limits {
  readonly framesPerSecond: number
  readonly frameBurst: number
}

/** A bucket that fills at a rate. @returns takes one out of it @throws ServiceError `TOO_MANY_REQUESTS` once it is empty */
export function frameRate({ framesPerSecond, frameBurst }: Limits, clock: Clock): () => void {
  let level = frameBurst
  let filledAt = clock.now().getTime()
  return () => {
    const now = clock.now().getTime()
    level = Math.min(frameBurst, level + ((now - filledAt) * framesPerSecond) / 1000)
    filledAt = now
    if (level < 1) throw fail('TOO_MANY_REQUESTS', { retryAfterSeconds: 1 })
    level -= 1
  }
}
