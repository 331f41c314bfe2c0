import type { Clock } from '../../runtime/clock.ts'
import type { Cancel, Timers } from '../../runtime/timers.ts'
import { followCredentials } from '../follow.ts'
import type { Entered } from './gate.ts'

interface Parts {
  readonly clock: Clock
  readonly timers: Timers
  /** Is told once why what was opened has to end. */
  ended(reason: unknown): void
}

/** Ends a session or a stream with what it was opened with. */
export interface Lifetime {
  /** It lasts no longer than these credentials, in place of those before. */
  follow(entered: Entered): void
  stop(): void
}

export function createLifetime({ clock, timers, ended }: Parts): Lifetime {
  const undo: Cancel[] = []

  function stop(): void {
    for (const cancel of undo.splice(0)) cancel()
  }

  return {
    stop,
    follow({ confirm, end }) {
      stop()
      undo.push(followCredentials(confirm, timers, ended))
      if (!end) return
      const remaining = end.at.getTime() - clock.now().getTime()
      undo.push(timers.after(remaining, () => ended(end.reason(clock.now()))))
    },
  }
}
