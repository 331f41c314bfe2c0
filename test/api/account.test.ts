import { beforeAll, describe, expect, it } from 'vitest'
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

async function create(role = 'ROLE_USER'): Promise<Made> {
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
  let user: Made
  let browser: CookieClient
  beforeAll(async () => {
    user = await create()
    browser = await openSession(user.username)
  })

  it('B32 changes the password; the session of the call continues under another id, and all other sessions and tokens end', async () => {
    const admin = await create('ROLE_ADMIN')
    const [own, other] = [await openSession(admin.username), await openSession(admin.username)]
    const former = new Map(own.cookies)
    const { status, text } = await own.call(PATH, change(GOOD, own.csrf()))
    expect([status, text]).toEqual([204, ''])
    expect(await isOpen(own)).toBe(true)
    expect(await isOpen(other)).toBe(false)
    expect(own.cookies.get('JSESSIONID')).not.toBe(former.get('JSESSIONID'))
    const before = { headers: { cookie: `JSESSIONID=${former.get('JSESSIONID')}` } }
    expect((await call('/api/auth/info', before)).status).toBe(401)
    const refused = await call('/api/users/x', { method: 'DELETE', ...bearer(olderToken(admin)) })
    expect(refused.json.details.tokenStatus).toBe('REVOKED')
    expect((await login(admin.username)).status).toBe(401)
    expect((await login(admin.username, OTHER)).status).toBe(200)
    expect((await own.call('/logout', { method: 'POST', headers: own.csrf() })).status).toBe(302)
  })

  it('accepts a token and HTTP Basic, and sets no cookie', async () => {
    const { username } = await create()
    const session = await openSession(username)
    const { json } = await login(username)
    const withToken = await call(PATH, change(GOOD, bearer(json.token).headers))
    expect([withToken.status, withToken.headers['set-cookie']]).toEqual([204, undefined])
    expect(await isOpen(session)).toBe(false)
    const back = change({ current: OTHER, new: PASSWORD }, basic(username, OTHER).headers)
    const withPassword = await call(PATH, back)
    expect([withPassword.status, withPassword.headers['set-cookie']]).toEqual([204, undefined])
  })

  it.each<[string, (username: string) => unknown, string]>([
    ['B32 a wrong current one', () => ({ current: 'wrong', new: OTHER }), 'current'],
    ['the user name as the new one', (username) => ({ ...GOOD, new: username.toUpperCase() }), 'new'],
    ['one that is not a string', () => ({ current: PASSWORD, new: 12345678 }), 'new'],
    ['an unknown field', () => ({ ...GOOD, username: 'admin' }), 'username'],
  ])('400 for %s, and nothing changes', async (_, body, field) => {
    const answer = await browser.call(PATH, change(body(user.username), browser.csrf()))
    expect([answer.status, fieldOf(answer)]).toEqual([400, field])
    for (const text of [PASSWORD, OTHER, 'wrong']) expect(answer.text).not.toContain(text)
    expect(await isOpen(browser)).toBe(true)
  })

  it('403 for an account of the directory, whose password is stored there', async () => {
    const { password } = demoUser('ldapuser')
    const answer = await call(PATH, change({ current: password, new: OTHER }, basic('ldapuser', password).headers))
    expect(answer).toMatchObject({ status: 403, json: { message: 'The password of this account is kept elsewhere' } })
  })

  it('401 without credentials, 403 without the CSRF token', async () => {
    expect((await call(PATH, change(GOOD))).status).toBe(401)
    expect((await browser.call(PATH, change(GOOD))).status).toBe(403)
  })
})

describe('the sessions of an account', () => {
  it('S19 are shown with a mark on the current one and with ids that give no access, and end one by one', async () => {
    const user = await create()
    const [own, other] = [await openSession(user.username), await openSession(user.username)]
    const { status, json } = await own.call('/api/account/sessions')
    expect([status, json.sessions.length]).toEqual([200, 2])
    const [current, ...others] = json.sessions.filter((session: { current: boolean }) => session.current)
    expect(others).toEqual([])
    expect(current).toMatchObject({ authType: 'FORM' })
    expect(Date.parse(current.expiresAt) - Date.parse(current.lastSeenAt)).toBe(30 * 60_000)
    expect((await call('/api/auth/info', { headers: { cookie: `JSESSIONID=${current.id}` } })).status).toBe(401)
    const { json: withToken } = await call('/api/account/sessions', bearer(olderToken(user)))
    expect(withToken.sessions).toMatchObject([{ current: false }, { current: false }])
    const { id } = json.sessions.find((session: { current: boolean }) => !session.current)
    const end = () => own.call(`/api/account/sessions/${id}`, { method: 'DELETE', headers: own.csrf() })
    expect((await own.call(`/api/account/sessions/${id}`, { method: 'DELETE' })).status).toBe(403)
    expect((await end()).status).toBe(204)
    expect([await isOpen(own), await isOpen(other)]).toEqual([true, false])
    expect(await end()).toMatchObject({ status: 404, json: { message: 'Session not found' } })
  })

  it('S19 404 for an impossible id, and for another user who knows the id', async () => {
    const victim = await openSession((await create()).username)
    const { json } = await victim.call('/api/account/sessions')
    for (const id of [json.sessions[0].id, 'a'.repeat(3000)]) {
      const path = `/api/account/sessions/${id}`
      const answer = await call(path, { method: 'DELETE', ...bearer(forge(claims({ sub: 'admin' }))) })
      expect([answer.status, answer.json.message]).toEqual([404, 'Session not found'])
    }
    expect(await isOpen(victim)).toBe(true)
  })
})

describe('POST /logout with a token', () => {
  const logout = (query: string, request: Call) => call(`/logout${query}`, { ...request, method: 'POST' })

  it('S20 400 without everywhere=true; with it, every session and token of the account ends', async () => {
    const user = await create('ROLE_ADMIN')
    const browser = await openSession(user.username)
    const refused = await logout('', bearer(olderToken(user)))
    expect([refused.status, fieldOf(refused)]).toEqual([400, 'everywhere'])
    expect(await isOpen(browser)).toBe(true)
    const answer = await logout('?everywhere=true', bearer(olderToken(user)))
    expect([answer.status, answer.text, answer.headers['set-cookie']]).toEqual([204, '', undefined])
    expect(await isOpen(browser)).toBe(false)
    const later = await call('/api/users/x', { method: 'DELETE', ...bearer(olderToken(user)) })
    expect(later.json.details.tokenStatus).toBe('REVOKED')
  })

  it('S20 401 with a bad token', async () => {
    const answer = await logout('?everywhere=true', bearer('a.b.c'))
    expect([answer.status, answer.json.details.tokenStatus]).toEqual([401, 'MALFORMED'])
  })
})
