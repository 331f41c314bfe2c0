import { describe, expect, it } from 'vitest'
import { refusal } from '../../../lib/auth/claims.ts'
import type { Principal } from '../../../lib/auth/principal.ts'
import { createSessions, sessionKey } from '../../../lib/auth/session.ts'
import { logOut } from '../../../lib/http/own-session.ts'
import { NO_NETWORKS } from '../../../lib/runtime/address.ts'
import { fixedClock } from '../../support/fakes/clock.ts'
import { httpEvent } from '../../support/fakes/http.ts'
import { FORM_USER, MemorySessions } from '../../support/fakes/sessions.ts'
import { recordingLogins } from '../../support/fakes/trail.ts'

const HOLDER: Principal = {
  username: 'Bob',
  uid: 'id-2',
  roles: ['ROLE_USER'],
  authType: 'JWT',
  principalType: 'JwtUser',
}

function setUp(isBearerTaken = true) {
  const store = new MemorySessions()
  const ended: string[] = []
  const accounts = {
    find: async (uid: string) => ({ uid, username: uid, roles: ['ROLE_USER' as const] }),
    end: async (uid: string) => void ended.push(uid),
  }
  const sessions = createSessions({ store, clock: fixedClock(), idleSeconds: 1800, maximumSeconds: 43_200, accounts })
  async function bearer(token: string) {
    if (token !== 'good') throw refusal('MALFORMED', 'no token')
    return HOLDER
  }
  const logins = recordingLogins()
  const parts = {
    sessions,
    logins,
    trustedProxies: NO_NETWORKS,
    checks: { bearer: isBearerTaken ? bearer : undefined },
    endedCookies: ['JSESSIONID='],
  }
  const call = (authorization: string | undefined, query: string, cookie?: string) =>
    logOut(
      {
        ...httpEvent({
          headers: { ...(authorization !== undefined && { authorization }) },
          ...(cookie !== undefined && { cookies: [`JSESSIONID=${cookie}`] }),
        }),
        queryStringParameters: { everywhere: query },
      },
      parts,
    )
  return { store, ended, sessions, logins, call }
}

const REDIRECT = { statusCode: 302, headers: { location: '/login?logout' }, cookies: ['JSESSIONID='] }

describe('POST /logout', () => {
  it('ends the session of a browser, or all', async () => {
    const { store, ended, sessions, call } = setUp()
    const [one, other] = [await sessions.start(FORM_USER), await sessions.start(FORM_USER)]
    expect(await call(undefined, '', one.id)).toEqual(REDIRECT)
    expect([...store.kept.keys()]).toEqual([sessionKey(other.id)])
    expect(await call(undefined, 'true', other.id)).toEqual(REDIRECT)
    expect([store.kept.size, ended]).toEqual([0, ['id-1']])
  })

  it('S20 ends all sessions and tokens of a token’s account with everywhere=true', async () => {
    const { store, ended, sessions, logins, call } = setUp()
    await sessions.start({ ...FORM_USER, uid: 'id-2' })
    expect(await call('Bearer good', 'true')).toEqual({ statusCode: 204, headers: {} })
    expect(logins.kept).toMatchObject([['logins.ended', { uid: 'id-2' }, expect.any(String)]])
    expect([store.kept.size, ended]).toEqual([0, ['id-2']])
  })

  it.each(['', 'false'])('S20 is 400 with a token otherwise: %j', async (query) => {
    const { ended, call } = setUp()
    await expect(call('Bearer good', query)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { validationErrors: [{ field: 'everywhere', message: expect.stringContaining('a token ends only') }] },
    })
    expect(ended).toEqual([])
  })

  it.each(['', 'true'])('S20 is 401 with a bad token, and the session of the call continues: %j', async (query) => {
    const { store, sessions, call } = setUp()
    const { id } = await sessions.start(FORM_USER)
    await expect(call('Bearer bad', query, id)).rejects.toMatchObject({ code: 'TOKEN_INVALID' })
    expect(store.kept.size).toBe(1)
  })

  it('S07 ends what belongs to the token, not to the session of the call', async () => {
    const { store, ended, sessions, call } = setUp()
    const { id } = await sessions.start(FORM_USER)
    await call('Bearer good', 'true', id)
    expect([store.kept.size, ended]).toEqual([1, ['id-2']])
  })

  it('treats a token as no credentials in a profile without tokens', async () => {
    const { sessions, store, call } = setUp(false)
    const { id } = await sessions.start(FORM_USER)
    expect(await call('Bearer good', '', id)).toEqual(REDIRECT)
    expect(store.kept.size).toBe(0)
  })

  it.each([undefined, 'Basic YTpi'])('redirects without a token and a session: %s', async (header) => {
    expect(await setUp().call(header, 'true')).toEqual(REDIRECT)
  })
})
