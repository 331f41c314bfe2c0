import { Buffer } from 'node:buffer'
import { createHash, randomBytes } from 'node:crypto'
import { fail } from '../errors.ts'
import type { Clock } from '../runtime/time.ts'
import { isOver } from '../users/credentials.ts'
import { type Role, satisfies } from '../users/role.ts'
import type { AccountStates } from './account-states.ts'
import type { LoginTrail } from './login-attempts.ts'
import type { OAuth2Profile, Principal, PrincipalType } from './principal.ts'

/** The owner of a session, as the login found it. */
export interface SessionUser {
  readonly username: string
  readonly roles: readonly Role[]
  readonly authType: 'FORM' | 'OAuth2' | 'PASSKEY'
  readonly principalType: PrincipalType
  /** The id of the account: a later account with the same name has another id. */
  readonly uid: string
  readonly oauth2?: OAuth2Profile | undefined
}

/** Whose session is to begin. */
export interface SessionBeginner extends SessionUser {
  /** When the login began, if its account was read then: what has ended all logins since has ended this one, too. */
  readonly since?: Date | undefined
}

/** A stored session. Its key is a hash of the id in the cookie, so that a copy of the store opens no session. */
export interface Session extends SessionUser {
  readonly key: string
  readonly createdAt: Date
  readonly lastSeenAt: Date
}

/** Where sessions are kept. All methods throw ServiceError `UNAVAILABLE`. */
export interface SessionStore {
  put(session: Session, expiresAt: Date): Promise<void>
  find(key: string): Promise<Session | undefined>
  /** Notes that a session is in use; does nothing to one that is gone. */
  touch(key: string, lastSeenAt: Date, expiresAt: Date): Promise<void>
  remove(key: string): Promise<void>
  removeAll(uid: string): Promise<void>
}

export interface SessionParts {
  readonly store: SessionStore
  readonly clock: Clock
  readonly idleSeconds: number
  readonly maximumSeconds: number
  readonly accounts: Pick<AccountStates, 'find' | 'end'>
}

export interface StartedSession {
  /** For the cookie alone. */
  readonly id: string
}

export interface Sessions {
  /** Always makes a new id, against session fixation; the session of the `former` id ends. */
  start(user: SessionBeginner, former?: string): Promise<StartedSession>
  /**
   * The session of an id, with the present roles of its account. The use counts against idleness. Undefined if it is
   * over: idle, too old, ended, or of an account that is gone, disabled or has ended its logins since.
   */
  use(id: string): Promise<Session | undefined>
  /** The same by its stored key. It does not count as a use. */
  look(key: string): Promise<Session | undefined>
  /** The sessions of an account that are not over, by the rules of {@link use}. */
  live(uid: string, sessions: readonly Session[]): Promise<readonly Session[]>
  /** Starts a session like that of the `former` id, which ends; undefined if there is none. */
  restart(former: string): Promise<StartedSession | undefined>
  end(id: string): Promise<void>
  /** Ends every session and every token of the account. */
  endAll(uid: string): Promise<void>
  /** When a session expires if it is not used again. */
  expiresAt(session: Pick<Session, 'createdAt' | 'lastSeenAt'>): Date
  /** When it expires, however much it is used. */
  latestEnd(session: Pick<Session, 'createdAt'>): Date
}

const ID_BYTES = 32

/** A session in use is written at most this often, in milliseconds. */
const TOUCH_INTERVAL = 60_000

export function sessionKey(id: string): string {
  return createHash('sha256').update(id).digest('base64url')
}

export function createSessions({ store, clock, idleSeconds, maximumSeconds, accounts }: SessionParts): Sessions {
  function latestEnd({ createdAt }: Pick<Session, 'createdAt'>): Date {
    return new Date(createdAt.getTime() + maximumSeconds * 1000)
  }

  function expiresAt(session: Pick<Session, 'createdAt' | 'lastSeenAt'>): Date {
    return new Date(Math.min(session.lastSeenAt.getTime() + idleSeconds * 1000, latestEnd(session).getTime()))
  }

  async function look(key: string): Promise<Session | undefined> {
    const session = await store.find(key)
    if (!session || expiresAt(session) <= clock.now()) return undefined
    const account = await accounts.find(session.uid)
    if (!account || isOver('session', session.createdAt, account)) return undefined
    const { claimed } = session.oauth2 ?? {}
    return { ...session, roles: claimed && !satisfies(account.roles, claimed) ? [claimed] : account.roles }
  }

  async function touched(session: Session, now: Date): Promise<Session> {
    const isRecent = now.getTime() - session.lastSeenAt.getTime() < Math.min(TOUCH_INTERVAL, idleSeconds * 500)
    if (isRecent) return session
    const seen = { ...session, lastSeenAt: now }
    await store.touch(session.key, now, expiresAt(seen))
    return seen
  }

  async function start(user: SessionBeginner, former?: string): Promise<StartedSession> {
    if (former !== undefined) await store.remove(sessionKey(former))
    const id = randomBytes(ID_BYTES).toString('base64url')
    const { username, roles, authType, principalType, uid, oauth2, since = clock.now() } = user
    const owner = { username, roles, authType, principalType, uid, ...(oauth2 && { oauth2 }) }
    const session = { ...owner, key: sessionKey(id), createdAt: since, lastSeenAt: since }
    await store.put(session, expiresAt(session))
    return { id }
  }

  return {
    expiresAt,
    latestEnd,
    start,
    look,
    async use(id) {
      const now = clock.now()
      const session = await look(sessionKey(id))
      return session && touched(session, now)
    },
    async live(uid, sessions) {
      const account = await accounts.find(uid)
      const now = clock.now()
      return sessions.filter((one) => account && expiresAt(one) > now && !isOver('session', one.createdAt, account))
    },
    async restart(former) {
      const session = await store.find(sessionKey(former))
      return session && start(session, former)
    },
    end: (id) => store.remove(sessionKey(id)),
    async endAll(uid) {
      // A session that the store does not list yet is over because it began before this time.
      await accounts.end(uid, clock.now())
      await store.removeAll(uid)
    },
  }
}

export function principalOf(session: Session, sessionExpiresAt: Date): Principal {
  const { username, uid, roles, authType, principalType, createdAt: loggedInAt, oauth2 } = session
  const owner = { username, uid, roles, authType, principalType, loggedInAt, sessionExpiresAt }
  return { ...owner, ...(oauth2 && { oauth2 }) }
}

interface EndingParts {
  readonly sessions: Sessions
  readonly logins: Pick<LoginTrail, 'recorded'>
}

interface Ending {
  readonly id: string | undefined
  readonly isEverywhere: boolean
  /** The IP address of the browser. */
  readonly address: string
}

/** Ends the session of an id, or every session of its user; an unknown id ends nothing. */
export async function endSession({ sessions, logins }: EndingParts, ending: Ending): Promise<void> {
  const { id, isEverywhere, address } = ending
  const session = id === undefined ? undefined : await sessions.use(id)
  if (id === undefined || !session) return
  if (!isEverywhere) return sessions.end(id)
  await logins.recorded('logins.ended', session, address, () => sessions.endAll(session.uid))
}

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
 * cookie, and no cookie can be computed from it.
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
