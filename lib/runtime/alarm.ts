import type { Clock } from './clock.ts'
import { type Cancel, systemTimers } from './timers.ts'

/**
 * Rings once when the clock says that the time has come, however far away it is; at once when it has come already.
 * @returns what turns the alarm off
 */
export function alarmAt(clock: Clock, time: Date, ring: () => void): Cancel {
  let cancel: Cancel = () => {}
  function wait(): void {
    const remaining = time.getTime() - clock.now().getTime()
    if (remaining <= 0) ring()
    else cancel = systemTimers.after(Math.ceil(remaining), wait)
  }
  wait()
  return () => cancel()
}
