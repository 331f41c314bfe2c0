import type { Cancel, Timers } from '../../runtime/timers.ts'
import { FRESH_MS, type KeyGate } from './gate.ts'

/** Together with what a gate remembers and the time of a request well below the 60 seconds after which a key is out. */
const LOOK_EVERY_MS = 50_000 - FRESH_MS

/**
 * Looks again and again at the key that something was opened with.
 * @param ended is told once why it has to end: the key is over, or nobody can say that it is not
 * @returns what stops looking
 */
export function followKey(gate: KeyGate, timers: Timers, id: string, ended: (reason: unknown) => void): Cancel {
  let isStopped = false
  let cancel = wait()

  function wait(): Cancel {
    return timers.after(LOOK_EVERY_MS, () => void look())
  }

  async function look(): Promise<void> {
    try {
      await gate.confirm(id)
      if (!isStopped) cancel = wait()
    } catch (reason) {
      if (!isStopped) ended(reason)
    }
  }

  return () => {
    isStopped = true
    cancel()
  }
}
