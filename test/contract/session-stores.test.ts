import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { dynamoAccountSessions, dynamoSessionStore } from '../../lib/adapters/dynamodb/sessions.ts'
import type { AccountSessions, Session, SessionStore } from '../../lib/auth/session.ts'
import { TABLES } from '../support/emulated-store.ts'
import { MemorySessions } from '../support/fakes/sessions.ts'
import { fakeAnd } from './stores.ts'

interface Stores {
  readonly sessions: SessionStore
  readonly ofAccount: AccountSessions
}

const STORES = fakeAnd<Stores>(
  () => {
    const sessions = new MemorySessions()
    return { sessions, ofAccount: sessions.ofAccount }
  },
  (documents) => ({
    sessions: dynamoSessionStore(documents, TABLES.sessions),
    ofAccount: dynamoAccountSessions(documents, TABLES.sessions),
  }),
)

const NOW = new Date('2026-01-02T03:04:05.678Z')
const LATER = new Date('2026-01-02T03:34:05.678Z')
/** Far enough away that no table clears a session away during a test. */
const EXPIRY = new Date('2100-01-01T00:00:00.000Z')

function newSession(changes: Partial<Session> = {}): Session {
  return {
    key: randomUUID(),
    username: 'Alice',
    roles: ['ROLE_ADMIN', 'ROLE_USER'],
    authType: 'FORM',
    principalType: 'DatabaseUser',
    uid: 'c3a1f4de-0000-4000-8000-000000000001',
    createdAt: NOW,
    lastSeenAt: NOW,
    ...changes,
  }
}

describe.each(STORES)('%s as a session store', (_, open) => {
  const stores = open()

  async function put(changes: Partial<Session> = {}): Promise<Session> {
    const session = newSession(changes)
    await stores.sessions.put(session, EXPIRY)
    return session
  }

  it('finds one by its key, to the millisecond', async () => {
    const session = await put()
    expect(await stores.sessions.find(session.key)).toEqual(session)
  })

  it('finds one with the attributes from an identity provider, and without a role', async () => {
    const attributes = { sub: '17', email_verified: true, age: 3 }
    const oauth2 = { provider: 'google', email: null, name: 'Ä', picture: null, attributes }
    const principal = {
      username: 'google:17',
      uid: 'google:17',
      authType: 'OAuth2',
      principalType: 'OidcUser',
    } as const
    const session = await put({ ...principal, roles: [], oauth2 })
    expect(await stores.sessions.find(session.key)).toEqual(session)
  })

  it('notes the use of one, and changes nothing else of it', async () => {
    const session = await put()
    await stores.sessions.touch(session.key, LATER, EXPIRY)
    expect(await stores.sessions.find(session.key)).toEqual({ ...session, lastSeenAt: LATER })
  })

  it('removes one, also twice, and does not restore it by noting its use', async () => {
    const [{ key }, other] = [await put(), await put()]
    await stores.sessions.remove(key)
    await stores.sessions.remove(key)
    await stores.sessions.touch(key, LATER, EXPIRY)
    expect(await stores.sessions.find(key)).toBeUndefined()
    expect(await stores.sessions.find(other.key)).toEqual(other)
  })

  it('removes all of one user, and none of other users', async () => {
    const uid = `user-${randomUUID()}`
    const own = await Promise.all(Array.from({ length: 40 }, () => put({ uid })))
    const others = [await put({ uid: `${uid}2` }), await put({ uid: uid.toUpperCase() })]
    await stores.sessions.removeAll(uid)
    expect(await Promise.all(own.map(({ key }) => stores.sessions.find(key)))).toEqual(own.map(() => undefined))
    for (const other of others) expect(await stores.sessions.find(other.key)).toEqual(other)
  })

  it('lists those of one account completely, and no more than requested', async () => {
    const uid = `user-${randomUUID()}`
    const own = await Promise.all(Array.from({ length: 120 }, () => put({ uid })))
    await put({ uid: `${uid}2` })
    const byKey = (one: Session, other: Session) => (one.key < other.key ? -1 : 1)
    const listed = await stores.ofAccount.list(uid, 1000)
    expect(listed.toSorted(byKey)).toEqual(own.toSorted(byKey))
    expect(await stores.ofAccount.list(uid, 7)).toHaveLength(7)
    expect(await stores.ofAccount.list(randomUUID(), 7)).toEqual([])
  })

  it('S19 removes one for its account alone', async () => {
    const [own, other] = [await put({ uid: 'own' }), await put({ uid: 'other' })]
    expect(await stores.ofAccount.remove('own', other.key)).toBe(false)
    expect(await stores.sessions.find(other.key)).toEqual(other)
    expect(await stores.ofAccount.remove('own', own.key)).toBe(true)
    expect(await stores.ofAccount.remove('own', own.key)).toBe(false)
    expect(await stores.sessions.find(own.key)).toBeUndefined()
  })
})
