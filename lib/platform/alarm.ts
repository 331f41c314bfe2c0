import type { Clock } from './clock.ts'

/** The longest time that a timer can wait, in milliseconds; a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * Rings once when the time has come, however far away it is.
 * @returns what turns the alarm off
 */
export function alarmAt(clock: Clock, time: Date, ring: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  function wait(): void {
    const remaining = time.getTime() - clock.now().getTime()
    if (remaining <= 0) ring()
    else timer = setTimeout(wait, Math.min(Math.ceil(remaining), LONGEST_MS)).unref()
  }
  wait()
  return () => clearTimeout(timer)
}
