import { followCredentials } from '../auth/follow.ts'
import type { KeyGate } from '../auth/keys/gate.ts'
import type { Principal } from '../auth/principal.ts'
import { expired } from '../auth/token-refusal.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Cancel, Timers } from '../runtime/timers.ts'
import type { ConnectCredentials } from './connect.ts'
import type { SessionNotices } from './notices.ts'

interface Parts {
  readonly keys?: Pick<KeyGate, 'confirm'> | undefined
  readonly clock: Clock
  readonly timers: Timers
  readonly notices: Pick<SessionNotices, 'expectEnd'>
  /** Checks credentials anew. Rejects once they are good no more. */
  confirm(credentials: ConnectCredentials): Promise<unknown>
  /** Is told once why the session has to end. */
  ended(reason: unknown): void
}

/** Ends a session with what it was opened with. */
export interface Lifetime {
  /**
   * The session lasts no longer than these credentials, in place of those before: the token or the key, the signing keys of
   * the token, and the account behind it.
   */
  follow(owner: Principal, credentials: ConnectCredentials): void
  stop(): void
}

export function createLifetime({ keys, clock, timers, notices, confirm, ended }: Parts): Lifetime {
  const undo: Cancel[] = []

  function stop(): void {
    for (const cancel of undo.splice(0)) cancel()
  }

  function endAt(at: Date): void {
    const now = () => clock.now()
    undo.push(timers.after(at.getTime() - now().getTime(), () => ended(expired(at, now()))))
    undo.push(notices.expectEnd(at))
  }

  return {
    stop,
    follow({ key, tokenExpiresAt }, credentials) {
      stop()
      const look = keys && key ? () => keys.confirm(key.id) : () => confirm(credentials)
      undo.push(followCredentials(look, timers, ended))
      if (tokenExpiresAt) endAt(tokenExpiresAt)
    },
  }
}
