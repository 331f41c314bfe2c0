import { beforeAll, describe, expect, it } from 'vitest'
import { demoUser } from '../support/accounts.ts'
import { CookieClient } from '../support/browser-client.ts'
import { type Answer, basic, bearer, type Call, call, form } from '../support/client.ts'
import { claims, forge } from '../support/forge.ts'
import { addPasskey, authenticatorHere, passkeyLogIn, postAs } from '../support/passkeys.ts'

const PASSWORD = 'pässword of eve'
const OTHER = 'another of eve'
const admin = () => bearer(forge())
const login = (username: string, password = PASSWORD) => call('/api/auth/login', form({ username, password }))
const json = (method: string, body: unknown): Call => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

function sent(credentials: Call, request: Call): Call {
  return { ...request, headers: { ...request.headers, ...credentials.headers } }
}

interface Made {
  readonly id: string
  readonly username: string
}

async function create(role = 'ROLE_USER', username = `a-${crypto.randomUUID()}`): Promise<Made> {
  const answer = await call('/api/users', sent(admin(), json('POST', { username, password: PASSWORD, role })))
  expect(answer.status).toBe(201)
  return answer.json
}

async function patch(id: string, body: unknown, credentials = admin()): Promise<Answer> {
  return call(`/api/users/${id}`, sent(credentials, json('PATCH', body)))
}

/** A token of an admin, issued so many seconds ago. */
function tokenFor({ id: uid, username: sub }: Made, seconds = 0): Call {
  return bearer(forge(claims({ sub, uid, iat: Math.floor(Date.now() / 1000) - seconds })))
}

/** What the service says to a change with a token of a minute ago: one of this very second stays good. */
async function statusOfOlder(user: Made): Promise<string> {
  const refused = await call('/api/users/x', { method: 'DELETE', ...tokenFor(user, 60) })
  return refused.json.details?.tokenStatus
}

async function show(id: string): Promise<Answer> {
  return call(`/api/users/${id}`, admin())
}

async function openSession(username: string, password = PASSWORD): Promise<CookieClient> {
  const browser = new CookieClient()
  await browser.login(username, password)
  return browser
}

let user: Made
beforeAll(async () => {
  user = await create()
})

describe('GET /api/users', () => {
  it('shows each user once, with the id for a deletion, and never a secret', async () => {
    const { json: first } = await call('/api/users?limit=1', admin())
    const { json: second } = await call(`/api/users?limit=199&cursor=${first.nextCursor}`, admin())
    const found: readonly Made[] = [...first.users, ...second.users]
    expect(first.users).toHaveLength(1)
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
    const { json: shown } = await show(user.id)
    expect(shown).toMatchObject({ ...user, role: 'ROLE_USER', enabled: true, createdAt: expect.any(String) })
    expect(JSON.stringify(found)).not.toContain('argon2')
  })

  it.each([
    ['limit=201', 'limit'],
    ['cursor=x', 'cursor'],
    ['role=ROLE_ADMIN', 'role'],
  ])('400 for %s', async (query, field) => {
    const answer = await call(`/api/users?${query}`, admin())
    expect([answer.status, answer.json.details.validationErrors[0].field]).toEqual([400, field])
  })
})

describe('access control', () => {
  it.each([
    ['GET', '/api/users', 'null', 'READ'],
    ['GET', '/api/users/x', '#userId', 'READ'],
    ['PATCH', '/api/users/x', '#userId', 'UPDATE'],
    ['GET', '/api/users/x/sessions', '#userId', 'READ'],
    ['DELETE', '/api/users/x/sessions', '#userId', 'UPDATE'],
  ])('403 for a user: %s %s', async (method, path, target, permission) => {
    const answer = await call(path, { ...bearer(forge(claims({ sub: 'user', role: 'ROLE_USER' }))), method })
    expect(answer.status).toBe(403)
    expect(answer.json).toMatchObject({
      message: 'Method access denied',
      details: {
        expression: `hasRole('ADMIN') and hasPermission(${target}, 'User', '${permission}')`,
        failedCondition: "hasRole('ADMIN')",
        action: method,
      },
    })
  })

  it('403 for users who request their own account as well', async () => {
    expect((await call(`/api/users/${user.id}`, basic(user.username, PASSWORD))).status).toBe(403)
  })

  it('S02 a session needs its CSRF token to change a user', async () => {
    const browser = await openSession('admin', demoUser('admin').password)
    const request = json('PATCH', { enabled: true })
    expect((await browser.call(`/api/users/${user.id}`, request)).status).toBe(403)
    const headers = { ...request.headers, ...browser.csrf() }
    expect((await browser.call(`/api/users/${user.id}`, { ...request, headers })).status).toBe(200)
  })
})

describe('PATCH /api/users/{userId}', () => {
  it('answers with the changed user, whose lastLoginAt is the time of an accepted login', async () => {
    const { id, username } = await create()
    const changed = await patch(id, { role: 'ROLE_ADMIN', enabled: false })
    expect(changed).toMatchObject({ status: 200, json: { id, username, role: 'ROLE_ADMIN', enabled: false } })
    expect((await show(id)).json).toEqual(changed.json)
    expect((await login(username)).status).toBe(401)
    expect((await patch(id, { enabled: true })).json).toMatchObject({ role: 'ROLE_ADMIN', enabled: true })
    expect((await show(id)).json.lastLoginAt).toBeNull()
    expect((await login(username)).json.role).toBe('ROLE_ADMIN')
    expect((await show(id)).json.lastLoginAt).not.toBeNull()
  })

  it('S14 sets a password, which is the only one from then on, and ends sessions and tokens', async () => {
    const made = await create('ROLE_ADMIN')
    const browser = await openSession(made.username)
    await call('/api/auth/info', basic(made.username, PASSWORD))
    const changed = await patch(made.id, { password: OTHER })
    expect([changed.status, changed.text.includes(OTHER)]).toEqual([200, false])
    expect((await browser.call('/api/auth/info')).status).toBe(401)
    expect(await statusOfOlder(made)).toBe('REVOKED')
    expect((await call('/api/auth/info', basic(made.username, PASSWORD))).status).toBe(401)
    expect((await login(made.username, OTHER)).status).toBe(200)
  })

  it.each<[string, (username: string) => unknown, string]>([
    ['nothing', () => ({}), 'body'],
    ['B14 a hash', () => ({ enabled: false, passwordHash: '$argon2id$' }), 'passwordHash'],
    ['no role', () => ({ role: null }), 'role'],
    ['a text in place of a boolean', () => ({ enabled: 'false' }), 'enabled'],
    ['the user name as password', (username) => ({ password: username.toUpperCase() }), 'password'],
  ])('400 for %s, and nothing changes', async (_, body, field) => {
    const before = (await show(user.id)).json
    const { status, json, text } = await patch(user.id, body(user.username))
    expect([status, json.details.validationErrors[0].field]).toEqual([400, field])
    expect(text).not.toContain(user.username.toUpperCase())
    expect((await show(user.id)).json).toEqual(before)
  })

  it('404 for an unknown user', async () => {
    const answer = await patch(crypto.randomUUID(), { enabled: false })
    expect(answer).toMatchObject({ status: 404, json: { message: 'User not found' } })
  })

  it('B32 403 for the caller’s own password, which another endpoint changes with the current one', async () => {
    const made = await create('ROLE_ADMIN')
    const answer = await patch(made.id, { password: OTHER }, tokenFor(made))
    expect(answer.status).toBe(403)
    expect(answer.json.details.failedCondition).toBe("hasPermission(#userId, 'User', 'UPDATE')")
  })
})

describe('the passkeys and API keys of an account', () => {
  const events = (key: string) => call('/api/webhooks/counts', { headers: { 'x-api-key': key } })

  async function planted() {
    const made = await create('ROLE_ADMIN')
    const browser = await openSession(made.username)
    const authenticator = authenticatorHere()
    await addPasskey(browser, authenticator)
    const { json: key } = await postAs(browser, '/api/keys', { name: 'planted' })
    return { made, authenticator, key }
  }

  it('are shown to an admin, who removes them', async () => {
    const { made, authenticator, key } = await planted()
    const path = `/api/users/${made.id}`
    const { json: shown } = await call(`${path}/passkeys`, admin())
    expect(shown.passkeys).toMatchObject([{ name: 'laptop' }])
    expect((await call(`${path}/keys`, admin())).json).toMatchObject({ keys: [{ id: key.id }], nextCursor: null })
    const remove = () => call(`${path}/passkeys/${shown.passkeys[0].id}`, { method: 'DELETE', ...admin() })
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 404])
    expect((await passkeyLogIn(new CookieClient(), authenticator)).status).toBe(401)
    expect((await call(`/api/keys/${key.id}`, { method: 'DELETE', ...admin() })).status).toBe(204)
    expect((await call(`${path}/keys`, admin())).json.keys).toEqual([])
  })

  it('end with a new password by an admin, and are listed no more', async () => {
    const { made, authenticator, key } = await planted()
    expect((await patch(made.id, { password: OTHER })).status).toBe(200)
    expect((await passkeyLogIn(new CookieClient(), authenticator)).status).toBe(401)
    expect((await events(key.key)).status).toBe(401)
    expect((await call(`/api/users/${made.id}/passkeys`, admin())).json).toEqual({ passkeys: [] })
    expect((await call(`/api/users/${made.id}/keys`, admin())).json.keys).toEqual([])
  })

  it.each([
    [240, 201],
    [301, 403],
  ])('are made with a login of the last five minutes: of %i seconds ago %i', async (seconds, status) => {
    const token = tokenFor(await create('ROLE_ADMIN'), seconds)
    const answer = await call('/api/keys', sent(token, json('POST', { name: 'late' })))
    expect(answer.status).toBe(status)
    if (status === 403)
      expect(answer.json.details).toMatchObject({ reason: 'The login is too old', maxAgeSeconds: 300 })
  })
})

describe('the sessions of an account', () => {
  const pathOf = (id: string) => `/api/users/${encodeURIComponent(id)}/sessions`

  it('S18 are shown to an admin, and end together with the tokens', async () => {
    const made = await create('ROLE_ADMIN')
    const browser = await openSession(made.username)
    const { json: shown } = await call(pathOf(made.id), admin())
    expect(shown.sessions).toMatchObject([{ authType: 'FORM', current: false }])
    const ended = await call(pathOf(made.id), { method: 'DELETE', ...admin() })
    expect([ended.status, ended.text]).toEqual([204, ''])
    expect((await browser.call('/api/auth/info')).status).toBe(401)
    expect(await statusOfOlder(made)).toBe('REVOKED')
    expect((await call(pathOf(made.id), admin())).json).toEqual({ sessions: [] })
  })

  it('404 for an impossible account', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await call(pathOf(`google:${'x'.repeat(3000)}`), { method, ...admin() })
      expect([answer.status, answer.json.message]).toEqual([404, 'User not found'])
    }
  })
})
