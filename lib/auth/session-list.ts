import { Buffer } from 'node:buffer'
import { fail } from '../errors.ts'
import type { Session, Sessions } from './session.ts'

/** The sessions of one account. All methods throw ServiceError `UNAVAILABLE`. */
export interface AccountSessions {
  /** Up to `limit` of them in any order, including expired ones; a very recent one may be missing. */
  list(uid: string, limit: number): Promise<readonly Session[]>
  /** Removes a session if it belongs to the account, and returns whether it did. */
  remove(uid: string, key: string): Promise<boolean>
}

export interface SessionListParts {
  readonly sessions: Pick<Sessions, 'live' | 'expiresAt'>
  readonly kept: AccountSessions
}

const MAXIMUM_LISTED = 1000

/**
 * The live sessions of an account, the one used last first. The id of each is the hash that it is kept under: it is no
 * cookie, and nobody can compute a cookie from it.
 * @param current the key of the session that asks
 */
export async function listSessions({ sessions, kept }: SessionListParts, uid: string, current: string | undefined) {
  const live = await sessions.live(uid, await kept.list(uid, MAXIMUM_LISTED))
  const newest = live.toSorted((one, other) => other.lastSeenAt.getTime() - one.lastSeenAt.getTime())
  return {
    sessions: newest.map((session) => ({
      id: shownId(session.key),
      createdAt: session.createdAt.toISOString(),
      lastSeenAt: session.lastSeenAt.toISOString(),
      expiresAt: sessions.expiresAt(session).toISOString(),
      authType: session.authType,
      current: session.key === current,
    })),
  }
}

/** In hex, so that it does not look like the id in a cookie. */
function shownId(key: string): string {
  return Buffer.from(key, 'base64url').toString('hex')
}

const SHOWN_ID = /^[\da-f]{64}$/

/** @throws ServiceError `SESSION_NOT_FOUND` where the account has none of that id, `UNAVAILABLE` */
export async function endOwnSession(kept: Pick<AccountSessions, 'remove'>, uid: string, id: string): Promise<void> {
  const isKnown = SHOWN_ID.test(id) && (await kept.remove(uid, Buffer.from(id, 'hex').toString('base64url')))
  if (!isKnown) throw fail('SESSION_NOT_FOUND')
}
