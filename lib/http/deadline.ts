import { fail } from '../errors.ts'

/** Time kept for the answer when the work does not end, in milliseconds. */
const RESERVE = 500

interface Remaining {
  getRemainingTimeInMillis?(): number
}

/**
 * The result of the work, unless the function's time runs out first.
 * @throws ServiceError `UNAVAILABLE` half a second before the platform would cut the function off
 */
export async function beforeDeadline<T>(work: Promise<T>, context: Remaining): Promise<T> {
  const remaining = context.getRemainingTimeInMillis?.()
  if (remaining === undefined) return work
  const { promise: deadline, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(fail('UNAVAILABLE')), Math.max(0, remaining - RESERVE))
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}
