import { unavailable } from '../errors.ts'
import type { Timers } from './timers.ts'

/**
 * Waits for work, but no longer than so many milliseconds; its signal ends it then.
 * @throws ServiceError `UNAVAILABLE` once the patience is over; what the work throws
 */
export async function withPatience(
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
