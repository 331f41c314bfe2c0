import { fail } from '../errors.ts'

/** Time kept for the answer when the work does not end, in milliseconds. */
const RESERVE = 500

interface Remaining {
  getRemainingTimeInMillis?(): number
}

/**
 * What work gives: at once where nothing has to be waited for, otherwise unless the function's time runs out first.
 * @throws ServiceError `UNAVAILABLE`, as a rejection, half a second before the platform would cut the function off
 */
export function beforeDeadline<T>(work: T | Promise<T>, context: Remaining): T | Promise<T> {
  const remaining = work instanceof Promise ? context.getRemainingTimeInMillis?.() : undefined
  return remaining === undefined ? work : within(remaining - RESERVE, work)
}

async function within<T>(milliseconds: number, work: T | Promise<T>): Promise<T> {
  const { promise: deadline, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(fail('UNAVAILABLE')), Math.max(0, milliseconds))
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}
