import type { AccountSessions, Session, SessionStore, SessionUser } from '../../../lib/auth/session.ts'
import { unavailable } from '../../../lib/errors.ts'

/** A user who came in through the form. */
export const FORM_USER: SessionUser = {
  username: 'Alice',
  roles: ['ROLE_USER'],
  authType: 'FORM',
  principalType: 'DatabaseUser',
  uid: 'id-1',
}

/** Sessions in memory; nothing clears away what is over, as the table may not for a while. */
export class MemorySessions implements SessionStore {
  readonly kept = new Map<string, Session>()
  /** When the table may clear a session away, by its key. */
  readonly expiry = new Map<string, Date>()
  readonly ofAccount: AccountSessions = {
    list: async (uid, limit) => [...this.kept.values()].filter((session) => session.uid === uid).slice(0, limit),
    remove: async (uid, key) => this.kept.get(key)?.uid === uid && this.kept.delete(key),
  }
  touches = 0
  isDown = false

  async put(session: Session, expiresAt: Date): Promise<void> {
    this.#reach()
    this.kept.set(session.key, session)
    this.expiry.set(session.key, expiresAt)
  }

  async find(key: string): Promise<Session | undefined> {
    this.#reach()
    return this.kept.get(key)
  }

  async touch(key: string, lastSeenAt: Date, expiresAt: Date): Promise<void> {
    this.#reach()
    this.touches += 1
    const session = this.kept.get(key)
    if (!session) return
    this.kept.set(key, { ...session, lastSeenAt })
    this.expiry.set(key, expiresAt)
  }

  async remove(key: string): Promise<void> {
    this.#reach()
    this.kept.delete(key)
  }

  async removeAll(uid: string): Promise<void> {
    this.#reach()
    for (const session of [...this.kept.values()]) if (session.uid === uid) this.kept.delete(session.key)
  }

  #reach(): void {
    if (this.isDown) throw unavailable(new Error('the store is down'))
  }
}
