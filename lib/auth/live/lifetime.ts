import type { Clock } from '../../runtime/clock.ts'
import type { Cancel, Timers } from '../../runtime/timers.ts'
import { followCredentials } from '../follow.ts'
import type { Entered } from './gate.ts'

interface Parts {
  readonly clock: Clock
  readonly timers: Timers
  /** Receives once the reason why the session or stream must end. */
  ended(reason: unknown): void
}

/** Ends a session or a stream together with its credentials. */
export interface Lifetime {
  /** Replaces the credentials: it lasts no longer than these. */
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
