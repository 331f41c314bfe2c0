import type { Cancel, Timers } from '../runtime/timers.ts'

/** Together with what a gate remembers and the time of a request well below the 60 seconds after which all has to end. */
const LOOK_EVERY_MS = 30_000

/**
 * Looks again and again at the credentials that something was opened with.
 * @param confirm rejects once they are over
 * @param ended is told once why it has to end: the credentials are over, or nobody can say that they are not
 * @returns what stops looking
 */
export function followCredentials(
  confirm: () => Promise<unknown>,
  timers: Timers,
  ended: (reason: unknown) => void,
): Cancel {
  let isStopped = false
  let cancel = wait()

  function wait(): Cancel {
    return timers.after(LOOK_EVERY_MS, () => void look())
  }

  async function look(): Promise<void> {
    try {
      await confirm()
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
