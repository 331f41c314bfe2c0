import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { AccountState } from '../../../lib/auth/account-states.ts'
import {
  createSessions,
  endOwnSession,
  endSession,
  listSessions,
  principalOf,
  type SessionUser,
  type StartedSession,
  sessionKey,
} from '../../../lib/auth/session.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { FORM_USER, MemorySessions } from '../../support/fakes/sessions.ts'
import { recordingLogins } from '../../support/fakes/trail.ts'

describe('session', () => {
  const MINUTE = 60_000
  const HOUR = 60 * MINUTE
  const HERE = '192.0.2.1'
  const BOB: SessionUser = { ...FORM_USER, username: 'Bob', uid: 'id-2' }

  function account({ uid, username, roles }: SessionUser): readonly [string, AccountState] {
    return [uid, { uid, username, roles }]
  }

  function setUp({ idleSeconds = 1800, maximumSeconds = 43_200 } = {}) {
    const clock = fixedClock()
    const store = new MemorySessions()
    const accounts = new Map([account(FORM_USER), account(BOB)])
    const sessions = createSessions({
      store,
      clock,
      idleSeconds,
      maximumSeconds,
      accounts: {
        find: async (uid) => accounts.get(uid),
        async end(uid, validAfter) {
          const state = accounts.get(uid)
          if (state) accounts.set(uid, { ...state, validAfter })
        },
      },
    })
    return { clock, store, accounts, sessions }
  }

  const later = (milliseconds: number) => new Date(START.getTime() + milliseconds)

  describe('a session', () => {
    it('has an id of 32 random bytes, a new one at every login', async () => {
      const { sessions } = setUp()
      const ids = await Promise.all(Array.from({ length: 100 }, async () => (await sessions.start(FORM_USER)).id))
      expect(new Set(ids).size).toBe(100)
      for (const id of ids) expect(Buffer.from(id, 'base64url')).toHaveLength(32)
    })

    it('S10 is stored under the SHA-256 of its id, and the id nowhere', async () => {
      const { sessions, store } = setUp()
      const { id } = await sessions.start(FORM_USER)
      const key = sessionKey(id)
      expect(key).toBe(createHash('sha256').update(id).digest('base64url'))
      expect([...store.kept.keys()]).toEqual([key])
      expect(JSON.stringify([...store.kept.values()])).not.toContain(id)
      expect(await sessions.use(key)).toBeUndefined()
    })

    it('is over if the logins of its account ended after its own began, though before it was stored', async () => {
      const { sessions, accounts, clock } = setUp()
      const since = clock.now()
      accounts.set(FORM_USER.uid, { ...FORM_USER, validAfter: later(20) })
      clock.advance(50)
      expect(await sessions.use((await sessions.start({ ...FORM_USER, since })).id)).toBeUndefined()
      expect(await sessions.use((await sessions.start(FORM_USER)).id)).toBeDefined()
    })

    it('is found by its id, with the user of the login', async () => {
      const { sessions } = setUp()
      const { id } = await sessions.start(FORM_USER)
      const key = sessionKey(id)
      expect(await sessions.use(id)).toEqual({ ...FORM_USER, key, createdAt: START, lastSeenAt: START })
    })

    it.each(['', '__proto__'])('is not found by the id %j', async (id) => {
      const { sessions } = setUp()
      await sessions.start(FORM_USER)
      expect(await sessions.use(id)).toBeUndefined()
    })

    it('S04 ends 30 minutes after it was last used', async () => {
      const { clock, sessions, store } = setUp()
      const { id } = await sessions.start(FORM_USER)
      const key = sessionKey(id)
      expect(store.expiry.get(key)).toEqual(later(30 * MINUTE))
      clock.advance(30 * MINUTE - 1)
      expect(await sessions.use(id)).toBeDefined()
      clock.advance(30 * MINUTE - 1)
      expect(await sessions.use(id)).toBeDefined()
      clock.advance(30 * MINUTE)
      expect(await sessions.use(id)).toBeUndefined()
    })

    it('S15 ends at its limits by the clock, even if that jumps an hour forward or back', async () => {
      const { clock, sessions, store } = setUp()
      const { id } = await sessions.start(FORM_USER)
      const key = sessionKey(id)
      clock.advance(HOUR)
      expect(await sessions.use(id)).toBeUndefined()
      expect(store.touches, 'what is over is not written again').toBe(0)
      clock.advance(-2 * HOUR)
      expect(await sessions.use(id)).toMatchObject({ key, lastSeenAt: START })
      clock.advance(HOUR + 31 * MINUTE)
      expect(await sessions.use(id)).toBeUndefined()
      expect(store.expiry.get(key)).toEqual(later(30 * MINUTE))
    })

    it('S09 ends 12 hours after the login, however much it is used', async () => {
      const { clock, sessions, store } = setUp()
      const { id } = await sessions.start(FORM_USER)
      const key = sessionKey(id)
      for (let used = 0; used < 12 * 3 - 1; used += 1) {
        clock.advance(20 * MINUTE)
        expect(await sessions.use(id)).toBeDefined()
      }
      expect(store.expiry.get(key)).toEqual(later(12 * HOUR))
      clock.advance(20 * MINUTE)
      expect(await sessions.use(id)).toBeUndefined()
    })

    it('is noted as used at most once a minute', async () => {
      const { clock, sessions, store } = setUp()
      const { id } = await sessions.start(FORM_USER)
      const key = sessionKey(id)
      clock.advance(59_999)
      expect((await sessions.use(id))?.lastSeenAt).toEqual(START)
      expect(store.touches).toBe(0)
      clock.advance(1)
      expect((await sessions.use(id))?.lastSeenAt).toEqual(later(MINUTE))
      expect((await sessions.use(id))?.lastSeenAt).toEqual(later(MINUTE))
      expect([store.touches, store.expiry.get(key)]).toEqual([1, later(31 * MINUTE)])
    })

    it('that would expire within seconds is noted more often, because it would expire in use', async () => {
      const { clock, sessions } = setUp({ idleSeconds: 2 })
      const { id } = await sessions.start(FORM_USER)
      for (let used = 0; used < 10; used += 1) {
        clock.advance(1000)
        expect(await sessions.use(id)).toBeDefined()
      }
      clock.advance(2000)
      expect(await sessions.use(id)).toBeUndefined()
    })

    it('S14 has ended if it is older than the last end of all logins of the account', async () => {
      const { accounts, clock, sessions } = setUp()
      const { id } = await sessions.start(FORM_USER)
      clock.advance(1)
      accounts.set(FORM_USER.uid, { ...FORM_USER, validAfter: clock.now() })
      expect(await sessions.use(id)).toBeUndefined()
      const later = await sessions.start(FORM_USER)
      expect(await sessions.use(later.id)).toBeDefined()
    })

    it('shows its end without further use', () => {
      const { sessions } = setUp()
      expect(sessions.expiresAt({ createdAt: START, lastSeenAt: START })).toEqual(later(30 * MINUTE))
      expect(sessions.expiresAt({ createdAt: START, lastSeenAt: later(11.9 * HOUR) })).toEqual(later(12 * HOUR))
    })

    it('is 503 while the store is down', async () => {
      const { sessions, store } = setUp()
      store.isDown = true
      const asked = [sessions.start(FORM_USER), sessions.use('x'), sessions.end('x'), sessions.endAll(FORM_USER.uid)]
      for (const answer of asked) await expect(answer).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    })
  })

  describe('the end of a session', () => {
    it('comes with a login in its place: the former id is invalid after it', async () => {
      const { sessions } = setUp()
      const former = await sessions.start(FORM_USER)
      const now = await sessions.start(BOB, former.id)
      expect(now.id).not.toBe(former.id)
      expect(await sessions.use(former.id)).toBeUndefined()
      expect((await sessions.use(now.id))?.username).toBe('Bob')
    })

    it('S01 a planted id never becomes a session', async () => {
      const { sessions } = setUp()
      const { id } = await sessions.start(FORM_USER, 'planted')
      expect(id).not.toBe('planted')
      expect(await sessions.use('planted')).toBeUndefined()
    })
  })

  it('S13 everywhere covers a session that is not in the list of the user yet', async () => {
    const { clock, sessions, store } = setUp()
    const { id } = await sessions.start(FORM_USER)
    // The index by which sessions are found is behind the table.
    store.removeAll = async () => {}
    clock.advance(1)
    await sessions.endAll(FORM_USER.uid)
    expect(store.kept.size).toBe(1)
    expect(await sessions.use(id)).toBeUndefined()
  })

  describe('POST /logout', () => {
    async function twoOfAlice() {
      const { sessions, ...rest } = setUp()
      const [here, elsewhere, bob] = [
        await sessions.start(FORM_USER),
        await sessions.start(FORM_USER),
        await sessions.start(BOB),
      ]
      const alive = async () => {
        const found = await Promise.all([here, elsewhere, bob].map(({ id }) => sessions.use(id)))
        return found.map((session) => session !== undefined)
      }
      return { ...rest, sessions, here, alive, logins: recordingLogins() }
    }

    it('S13 with ?everywhere=true all sessions of the user', async () => {
      const { sessions, logins, here, alive } = await twoOfAlice()
      await endSession({ sessions, logins }, { id: here.id, isEverywhere: true, address: HERE })
      expect(await alive()).toEqual([false, false, true])
      expect(logins.kept).toEqual([['logins.ended', expect.objectContaining({ uid: FORM_USER.uid }), HERE]])
    })

    it.each([undefined, 'nobody'])('with the id %s of no session ends nothing', async (id) => {
      const { sessions, logins, alive } = await twoOfAlice()
      await endSession({ sessions, logins }, { id, isEverywhere: true, address: HERE })
      await endSession({ sessions, logins }, { id, isEverywhere: false, address: HERE })
      expect([await alive(), logins.kept]).toEqual([[true, true, true], []])
    })

    it('with the id of an ended session ends no other', async () => {
      const { clock, sessions, logins, here, store } = await twoOfAlice()
      clock.advance(30 * MINUTE)
      await endSession({ sessions, logins }, { id: here.id, isEverywhere: true, address: HERE })
      expect(store.kept.size).toBe(3)
    })
  })

  describe('the principal of a session', () => {
    it('is the user of the login, until the session ends', () => {
      const session = { ...FORM_USER, key: 'k', createdAt: START, lastSeenAt: START }
      expect(principalOf(session, later(HOUR))).toEqual({
        ...FORM_USER,
        loggedInAt: START,
        sessionExpiresAt: later(HOUR),
      })
    })

    it('contains the attributes from an identity provider', () => {
      const oauth2 = { provider: 'google', email: null, name: 'A', picture: null, attributes: { sub: '1' } }
      const session = { ...FORM_USER, oauth2, key: 'k', createdAt: START, lastSeenAt: START }
      expect(principalOf(session, START).oauth2).toEqual(oauth2)
    })
  })
})

describe('session list', () => {
  const MINUTE = 60_000
  const { uid } = FORM_USER
  const OTHER = { ...FORM_USER, uid: 'id-2' }

  function setUp() {
    const clock = fixedClock()
    const store = new MemorySessions()
    const account: AccountState = { uid, username: 'Alice', roles: ['ROLE_USER'] }
    const state: { account: AccountState | undefined } = { account }
    const accounts = { find: async () => state.account, end: async () => {} }
    const sessions = createSessions({ store, clock, idleSeconds: 1800, maximumSeconds: 43_200, accounts })
    return { clock, kept: store.ofAccount, account, state, sessions }
  }

  /** The id that a session is shown with. */
  const shownIdOf = ({ id }: StartedSession) => Buffer.from(sessionKey(id), 'base64url').toString('hex')

  describe('the sessions of an account', () => {
    it('are shown, the last used first, with a mark on the current one', async () => {
      const { clock, kept, sessions } = setUp()
      const first = await sessions.start(FORM_USER)
      clock.advance(5 * MINUTE)
      const second = await sessions.start(FORM_USER)
      await sessions.start(OTHER)
      const { sessions: shown } = await listSessions({ sessions, kept }, uid, sessionKey(first.id))
      const at = (minutes: number) => new Date(START.getTime() + minutes * MINUTE).toISOString()
      const common = { authType: 'FORM', current: false }
      expect(shown).toEqual([
        { ...common, id: shownIdOf(second), createdAt: at(5), lastSeenAt: at(5), expiresAt: at(35) },
        { ...common, id: shownIdOf(first), createdAt: at(0), lastSeenAt: at(0), expiresAt: at(30), current: true },
      ])
    })

    it('S19 have ids that grant no access, and from which no session id can be derived', async () => {
      const { kept, sessions } = setUp()
      const { id } = await sessions.start(FORM_USER)
      const { sessions: shown } = await listSessions({ sessions, kept }, uid, undefined)
      const [{ id: shownId = '' } = {}] = shown
      expect(JSON.stringify(shown)).not.toContain(id)
      expect(await sessions.use(shownId)).toBeUndefined()
      expect(await sessions.use(Buffer.from(shownId, 'hex').toString('base64url'))).toBeUndefined()
    })

    it('exclude ended ones: idle, ended with all others, or of a deleted account', async () => {
      const { clock, kept, sessions, state, account } = setUp()
      const shown = async () => (await listSessions({ sessions, kept }, uid, undefined)).sessions.length
      await sessions.start(FORM_USER)
      clock.advance(30 * MINUTE)
      await sessions.start(FORM_USER)
      expect(await shown()).toBe(1)
      state.account = { ...account, validAfter: new Date(START.getTime() + 30 * MINUTE + 1) }
      expect(await shown()).toBe(0)
      state.account = undefined
      expect(await shown()).toBe(0)
    })

    it('S19 end by their id, only for their own account', async () => {
      const { kept, sessions } = setUp()
      const [own, other] = [await sessions.start(FORM_USER), await sessions.start(OTHER)]
      await endOwnSession(kept, uid, shownIdOf(own))
      expect(await sessions.use(own.id)).toBeUndefined()
      for (const id of [shownIdOf(own), shownIdOf(other), sessionKey(other.id), other.id, '', 'x', 'a'.repeat(3000)]) {
        await expect(endOwnSession(kept, uid, id)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND', status: 404 })
      }
      expect(await sessions.use(other.id)).toBeDefined()
    })
  })

  describe('a session that continues under another id', () => {
    it('belongs to the same user, from now on, and the former one is ended', async () => {
      const { clock, sessions } = setUp()
      const former = await sessions.start(FORM_USER)
      clock.advance(MINUTE)
      const { id = '' } = (await sessions.restart(former.id)) ?? {}
      const now = new Date(START.getTime() + MINUTE)
      expect(await sessions.use(id)).toEqual({ ...FORM_USER, key: sessionKey(id), createdAt: now, lastSeenAt: now })
      expect(await sessions.use(former.id)).toBeUndefined()
    })

    it('does not exist without a former one', async () => {
      const { sessions } = setUp()
      expect(await sessions.restart('nothing')).toBeUndefined()
    })
  })
})
