import { describe, expect, it } from 'vitest'
import type { AccountState } from '../../../lib/auth/account-states.ts'
import { createSessions, type StartedSession, sessionKey } from '../../../lib/auth/session.ts'
import { endOwnSession, listSessions } from '../../../lib/auth/session-list.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { FORM_USER, MemorySessions } from '../../support/fakes/sessions.ts'

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
