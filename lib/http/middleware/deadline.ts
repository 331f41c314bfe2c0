import { fail } from '../../errors.ts'

/** Time kept for the answer when the work does not end, in milliseconds. */
const RESERVE = 500

interface Remaining {
  getRemainingTimeInMillis?(): number
}

/**
 * The result of work: at once if it need not wait, otherwise unless the function's time runs out first.
 * @throws ServiceError `UNAVAILABLE`, as a rejection, half a second before the platform would stop the function
 */
export function beforeDeadline<T>(work: T | Promise<T>, context: Remaining): T | Promise<T> {
  const remaining = work instanceof Promise ? context.getRemainingTimeInMillis?.() : undefined
  return remaining === undefined ? work : within(remaining - RESERVE, work)
}

function within<T>(milliseconds: number, work: T | Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(() => reject(fail('UNAVAILABLE')), Math.max(0, milliseconds))
  const inTime =
    <A>(settle: (outcome: A) => void) =>
    (outcome: A) => {
      clearTimeout(timer)
      settle(outcome)
    }
  Promise.resolve(work).then(inTime(resolve), inTime(reject))
  return promise
}
