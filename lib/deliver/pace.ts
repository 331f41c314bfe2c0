import type { Clock } from '../runtime/clock.ts'
import type { Destination } from './destination.ts'

/**
 * Waits until the next delivery may begin. The rate of a destination is divided by the maximum number of processes, so
 * it is never exceeded; a process waits two seconds at most.
 * @param wait in milliseconds
 */
export function paceOf(
  { concurrency, ratePerSecond }: Pick<Destination, 'concurrency' | 'ratePerSecond'>,
  clock: Clock,
  wait: (milliseconds: number) => Promise<unknown>,
): () => Promise<void> {
  if (ratePerSecond === undefined) return async () => undefined
  const interval = (concurrency / ratePerSecond) * 1000
  let next = 0
  return async () => {
    const now = clock.now().getTime()
    const turn = Math.max(now, next)
    next = turn + interval
    if (turn > now) await wait(turn - now)
  }
}
