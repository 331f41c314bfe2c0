import { describe, expect, it } from 'vitest'
import { demoUser } from '../support/accounts.ts'
import { CookieClient } from '../support/browser-client.ts'
import { type Answer, basic, bearer, type Call, call, form } from '../support/client.ts'
import { claims, forge } from '../support/forge.ts'

const PASSWORD = 'pässword of eve'
const OTHER = 'another of eve'
const PATH = '/api/account/password'
const login = (username: string, password = PASSWORD) => call('/api/auth/login', form({ username, password }))

interface Made {
  readonly id: string
  readonly username: string
  readonly role: string
}

async function create(role = 'ROLE_USER'): Promise<string> {
  return (await createWithId(role)).username
}

async function createWithId(role = 'ROLE_USER'): Promise<Made> {
  const username = `c-${crypto.randomUUID()}`
  const body = JSON.stringify({ username, password: PASSWORD, role })
  const headers = { ...bearer(forge()).headers, 'content-type': 'application/json' }
  const answer = await call('/api/users', { method: 'POST', headers, body })
  expect(answer.status).toBe(201)
  return answer.json
}

/** As if it had been issued a minute ago: a token tells whole seconds, and one of this very second stays good. */
function olderToken({ id: uid, username: sub, role }: Made): string {
  return forge(claims({ sub, uid, role, iat: Math.floor(Date.now() / 1000) - 60 }))
}

async function openSession(username: string, password = PASSWORD): Promise<CookieClient> {
  const browser = new CookieClient()
  await browser.login(username, password)
  return browser
}

function change(body: unknown, headers: Call['headers'] = {}): Call {
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

const GOOD = { current: PASSWORD, new: OTHER }
const isOpen = async (browser: CookieClient) => (await browser.call('/api/auth/info')).status === 200
const fieldOf = ({ json }: Answer) => json.details.validationErrors[0].field

describe('POST /api/account/password', () => {
  let unchanged: CookieClient | undefined

  it('B32 changes the password; the session of the call continues under another id, and all other sessions and tokens end', async () => {
    const user = await createWithId('ROLE_ADMIN')
    const { username } = user
    const [own, other] = [await openSession(username), await openSession(username)]
    const former = new Map(own.cookies)
    const { status, text } = await own.call(PATH, change(GOOD, own.csrf()))
    expect([status, text]).toEqual([204, ''])
    expect(await isOpen(own)).toBe(true)
    expect(await isOpen(other)).toBe(false)
    expect(own.cookies.get('JSESSIONID')).not.toBe(former.get('JSESSIONID'))
    const before = { headers: { cookie: `JSESSIONID=${former.get('JSESSIONID')}` } }
    expect((await call('/api/auth/info', before)).status).toBe(401)
    const refused = await call('/api/users/x', { method: 'DELETE', ...bearer(olderToken(user)) })
    expect(refused.json.details.tokenStatus).toBe('REVOKED')
    expect((await login(username)).status).toBe(401)
    expect((await login(username, OTHER)).status).toBe(200)
    expect((await own.call('/logout', { method: 'POST', headers: own.csrf() })).status).toBe(302)
  })

  it.each([
    ['a token', async (username: string) => bearer((await login(username)).json.token)],
    ['HTTP Basic', async (username: string) => basic(username, PASSWORD)],
  ])('accepts %s, and sets no cookie', async (_, credentials) => {
    const username = await create()
    const browser = await openSession(username)
    const { headers } = await credentials(username)
    const answer = await call(PATH, change(GOOD, headers))
    expect([answer.status, answer.headers['set-cookie']]).toEqual([204, undefined])
    expect(await isOpen(browser)).toBe(false)
    expect((await login(username, OTHER)).status).toBe(200)
  })

  it.each<[string, unknown, string]>([
    ['B32 a wrong current one', { current: 'wrong', new: OTHER }, 'current'],
    ['no current one', { new: OTHER }, 'current'],
    ['an empty current one', { current: '', new: OTHER }, 'current'],
    ['no new one', { current: PASSWORD }, 'new'],
    ['the current one as the new one', { current: PASSWORD, new: PASSWORD }, 'new'],
    [
      'the current one as the new one, in another Unicode form',
      { current: PASSWORD, new: PASSWORD.normalize('NFD') },
      'new',
    ],
    ['a short one', { current: PASSWORD, new: 'xqzjvkw' }, 'new'],
    ['a common one', { current: PASSWORD, new: 'Baseball1' }, 'new'],
    ['one that is not a string', { current: PASSWORD, new: 12345678 }, 'new'],
    ['an unknown field', { ...GOOD, username: 'admin' }, 'username'],
  ])('400 for %s, and nothing changes', async (_, body, field) => {
    unchanged ??= await openSession(await create())
    const answer = await unchanged.call(PATH, change(body, unchanged.csrf()))
    expect([answer.status, fieldOf(answer)]).toEqual([400, field])
    for (const text of [PASSWORD, OTHER, 'wrong', 'xqzjvkw', 'Baseball1']) expect(answer.text).not.toContain(text)
    expect(await isOpen(unchanged)).toBe(true)
  })

  it('400 for the user name', async () => {
    const username = await create()
    const answer = await call(PATH, change({ ...GOOD, new: username.toUpperCase() }, basic(username, PASSWORD).headers))
    expect(fieldOf(answer)).toBe('new')
  })

  it('403 for an account of the directory, whose password is stored there', async () => {
    const { password } = demoUser('ldapuser')
    const answer = await call(PATH, change({ current: password, new: OTHER }, basic('ldapuser', password).headers))
    expect(answer).toMatchObject({ status: 403, json: { message: 'The password of this account is kept elsewhere' } })
  })

  it('401 without credentials, 403 without the CSRF token', async () => {
    expect((await call(PATH, change(GOOD))).status).toBe(401)
    const browser = await openSession(await create())
    expect((await browser.call(PATH, change(GOOD))).status).toBe(403)
  })
})

describe('the sessions of an account', () => {
  it('are shown, with a mark on the current one and with ids that give no access', async () => {
    const username = await create()
    const [own] = [await openSession(username), await openSession(username)]
    const { status, json } = await own.call('/api/account/sessions')
    expect(status).toBe(200)
    expect(json.sessions).toHaveLength(2)
    const [current, ...others] = json.sessions.filter((session: { current: boolean }) => session.current)
    expect(others).toEqual([])
    expect(current).toMatchObject({ authType: 'FORM' })
    expect(Date.parse(current.expiresAt) - Date.parse(current.lastSeenAt)).toBe(30 * 60_000)
    for (const { id } of json.sessions) {
      expect((await call('/api/auth/info', { headers: { cookie: `JSESSIONID=${id}` } })).status).toBe(401)
      expect([...own.cookies.values()].join()).not.toContain(id)
    }
  })

  it('are shown to a caller with a token, and none is marked as current', async () => {
    const user = await createWithId()
    await openSession(user.username)
    const { json } = await call('/api/account/sessions', bearer(olderToken(user)))
    expect(json.sessions).toMatchObject([{ current: false }])
  })

  it('end one by one', async () => {
    const username = await create()
    const [own, other] = [await openSession(username), await openSession(username)]
    const { json } = await own.call('/api/account/sessions')
    const { id } = json.sessions.find((session: { current: boolean }) => !session.current)
    const end = () => own.call(`/api/account/sessions/${id}`, { method: 'DELETE', headers: own.csrf() })
    expect((await own.call(`/api/account/sessions/${id}`, { method: 'DELETE' })).status).toBe(403)
    expect((await end()).status).toBe(204)
    expect([await isOpen(own), await isOpen(other)]).toEqual([true, false])
    expect(await end()).toMatchObject({ status: 404, json: { message: 'Session not found' } })
  })

  it('S19 are not ended by another user who knows the id: 404', async () => {
    const victim = await openSession(await create())
    const { json } = await victim.call('/api/account/sessions')
    const path = `/api/account/sessions/${json.sessions[0].id}`
    for (const sub of ['jdbcuser', 'admin']) {
      const answer = await call(path, { method: 'DELETE', ...bearer(forge(claims({ sub, role: 'ROLE_USER' }))) })
      expect([answer.status, answer.json.message]).toEqual([404, 'Session not found'])
    }
    expect(await isOpen(victim)).toBe(true)
  })

  it.each(['x', '__proto__', 'a'.repeat(3000), '%00', 'A'.repeat(64)])(
    'S19 404 for an impossible id: %s',
    async (id) => {
      const answer = await call(`/api/account/sessions/${id}`, {
        method: 'DELETE',
        ...bearer(forge(claims({ sub: 'user', role: 'ROLE_USER' }))),
      })
      expect([answer.status, answer.json.message]).toEqual([404, 'Session not found'])
    },
  )
})

describe('POST /logout with a token', () => {
  const logout = (query: string, request: Call) => call(`/logout${query}`, { ...request, method: 'POST' })

  it('S20 ends every session and token of the account with everywhere=true', async () => {
    const user = await createWithId('ROLE_ADMIN')
    const browser = await openSession(user.username)
    const answer = await logout('?everywhere=true', bearer(olderToken(user)))
    expect([answer.status, answer.text, answer.headers['set-cookie']]).toEqual([204, '', undefined])
    expect(await isOpen(browser)).toBe(false)
    const refused = await call('/api/users/x', { method: 'DELETE', ...bearer(olderToken(user)) })
    expect(refused.json.details.tokenStatus).toBe('REVOKED')
  })

  it('S20 400 without everywhere=true, and the error explains how a token ends', async () => {
    const user = await createWithId()
    const browser = await openSession(user.username)
    for (const query of ['', '?everywhere=false', '?everywhere', '?everywhere=TRUE']) {
      const answer = await logout(query, bearer(olderToken(user)))
      expect([query, answer.status, fieldOf(answer)]).toEqual([query, 400, 'everywhere'])
      expect(answer.json.details.validationErrors[0].message).toContain('a token ends only')
    }
    expect(await isOpen(browser)).toBe(true)
  })

  it.each(['', '?everywhere=true'])('S20 401 with a bad token: %s', async (query) => {
    const answer = await logout(query, bearer('a.b.c'))
    expect([answer.status, answer.json.details.tokenStatus]).toEqual([401, 'MALFORMED'])
  })

  it('S07 applies to the account of the token, although the call carries the session of another', async () => {
    const [mine, theirs] = [await createWithId(), await create()]
    const browser = await openSession(theirs)
    const { headers } = bearer(olderToken(mine))
    expect(
      (await browser.call('/logout?everywhere=true', { method: 'POST', ...(headers && { headers }) })).status,
    ).toBe(204)
    expect(await isOpen(browser)).toBe(true)
  })

  it('302 without a token and without a session', async () => {
    const answer = await logout('', {})
    expect([answer.status, answer.headers['location']]).toEqual([302, '/login?logout'])
  })
})
