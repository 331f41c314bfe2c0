import type { Cancel, Timers } from '../runtime/async.ts'

/** With the cache time of a gate and the time of a request, well below the 60 seconds after which all must end. */
const LOOK_EVERY_MS = 30_000

/**
 * Checks repeatedly the credentials that a session or a stream was opened with.
 * @param confirm rejects once they are over
 * @param ended receives the reason once: the credentials are over, or nothing can confirm them
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
