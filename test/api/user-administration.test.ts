import { describe, expect, it } from 'vitest'
import { demoUser } from '../support/accounts.ts'
import { CookieClient } from '../support/browser-client.ts'
import { type Answer, basic, bearer, type Call, call, form } from '../support/client.ts'
import { claims, forge } from '../support/forge.ts'

const PASSWORD = 'pässword of eve'
const name = () => `a-${crypto.randomUUID()}`
const admin = () => bearer(forge())
const login = (username: string, password = PASSWORD) => call('/api/auth/login', form({ username, password }))
const json = (method: string, body: unknown): Call => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

function sent(credentials: Call, request: Call): Call {
  return { ...request, headers: { ...request.headers, ...credentials.headers } }
}

interface Made {
  readonly id: string
  readonly username: string
}

async function create(role = 'ROLE_USER', username = name()): Promise<Made> {
  const answer = await call('/api/users', sent(admin(), json('POST', { username, password: PASSWORD, role })))
  expect(answer.status).toBe(201)
  return answer.json
}

async function patch(id: string, body: unknown, credentials?: Call): Promise<Answer> {
  return call(`/api/users/${id}`, sent(credentials ?? admin(), json('PATCH', body)))
}

/** As if it had been issued a minute ago: a token tells whole seconds, and one of this very second stays good. */
function olderToken(uid: string, sub: string): string {
  return forge(claims({ sub, uid, iat: Math.floor(Date.now() / 1000) - 60 }))
}

async function show(id: string): Promise<Answer> {
  return call(`/api/users/${id}`, admin())
}

describe('GET /api/users', () => {
  async function pages(limit: number) {
    const found: Made[] = []
    let cursor = ''
    do {
      const { status, json } = await call(`/api/users?limit=${limit}&cursor=${cursor}`, admin())
      expect(status).toBe(200)
      found.push(...json.users)
      cursor = json.nextCursor ?? ''
    } while (cursor !== '')
    return found
  }

  it('shows each user once, by name, with the id for a deletion, and never a secret', async () => {
    const made = [await create(), await create('ROLE_ADMIN')]
    const found = await pages(2)
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
    for (const { id, username } of made) {
      expect(found).toContainEqual({
        id,
        username,
        role: username === made[1]?.username ? 'ROLE_ADMIN' : 'ROLE_USER',
        enabled: true,
        createdAt: expect.any(String),
        lastLoginAt: null,
      })
    }
    const demo = found.find(({ username }) => username === 'jdbcuser')
    expect((await show(demo?.id ?? '')).json.username).toBe('jdbcuser')
    expect(JSON.stringify(found)).not.toContain('argon2')
  })

  it.each(['0', '201', 'x', '-1', '1.5'])('400 for a limit of %s', async (limit) => {
    const answer = await call(`/api/users?limit=${limit}`, admin())
    expect([answer.status, answer.json.details.validationErrors[0].field]).toEqual([400, 'limit'])
  })

  it.each(['x', 'dXNlcnM', '%FF', 'a'.repeat(4097)])('400 for a cursor that no page returned: %s', async (cursor) => {
    const answer = await call(`/api/users?cursor=${cursor}`, admin())
    expect(answer.status).toBe(400)
  })

  it('400 for an unknown parameter', async () => {
    const answer = await call('/api/users?role=ROLE_ADMIN', admin())
    expect(answer.json.details.validationErrors[0]).toMatchObject({ field: 'role', rejectedValue: 'ROLE_ADMIN' })
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
    const { id, username } = await create()
    expect((await call(`/api/users/${id}`, basic(username, PASSWORD))).status).toBe(403)
  })

  it('S02 a session needs its CSRF token to change a user', async () => {
    const { id } = await create()
    const browser = new CookieClient()
    await browser.login('admin', demoUser('admin').password)
    const request = json('PATCH', { enabled: false })
    expect((await browser.call(`/api/users/${id}`, request)).status).toBe(403)
    expect((await show(id)).json.enabled).toBe(true)
    const headers = { ...request.headers, ...browser.csrf() }
    expect((await browser.call(`/api/users/${id}`, { ...request, headers })).status).toBe(200)
    expect((await show(id)).json.enabled).toBe(false)
  })

  it('H08 405 for an unknown method, with the allowed ones', async () => {
    const answer = await call('/api/users/x', { method: 'PUT' })
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'DELETE, GET, HEAD, PATCH'])
    expect(answer.json.details.supportedMethods).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH'])
  })
})

describe('PATCH /api/users/{userId}', () => {
  let unchanged: Made | undefined

  it('answers with the changed user', async () => {
    const { id, username } = await create()
    const changed = await patch(id, { role: 'ROLE_ADMIN', enabled: false })
    expect(changed).toMatchObject({ status: 200, json: { id, username, role: 'ROLE_ADMIN', enabled: false } })
    expect((await show(id)).json).toEqual(changed.json)
    expect((await login(username)).status).toBe(401)
    expect((await patch(id, { enabled: true })).json).toMatchObject({ role: 'ROLE_ADMIN', enabled: true })
    expect((await login(username)).json.role).toBe('ROLE_ADMIN')
  })

  it.each([
    ['another role', { role: 'ROLE_USER' }],
    ['another password', { password: 'another of eve' }],
    ['an end', { enabled: false }],
  ])('S14 ends sessions and tokens: %s', async (_, change) => {
    const { id, username } = await create('ROLE_ADMIN')
    const browser = new CookieClient()
    await browser.login(username, PASSWORD)
    const token = olderToken(id, username)
    expect((await patch(id, change)).status).toBe(200)
    expect((await browser.call('/api/auth/info')).status).toBe(401)
    const refused = await call('/api/users/x', { method: 'DELETE', ...bearer(token) })
    expect([refused.status, refused.json.details.tokenStatus]).toEqual([401, 'REVOKED'])
  })

  it('sets a password, and only the new one is accepted from then on', async () => {
    const { id, username } = await create()
    await call('/api/auth/info', basic(username, PASSWORD))
    expect((await patch(id, { password: 'another of eve' })).text).not.toContain('another of eve')
    expect((await call('/api/auth/info', basic(username, PASSWORD))).status).toBe(401)
    expect((await login(username, 'another of eve')).status).toBe(200)
  })

  it.each<[string, unknown, string]>([
    ['nothing', {}, 'body'],
    ['a list', [], 'body'],
    ['broken JSON', '{', 'body'],
    ['an unknown field', { enabled: false, username: 'eve' }, 'username'],
    ['B14 a hash', { passwordHash: '$argon2id$' }, 'passwordHash'],
    ['an unknown role', { role: 'ROOT' }, 'role'],
    ['no role', { role: null }, 'role'],
    ['a text in place of a boolean', { enabled: 'false' }, 'enabled'],
    ['a short password', { password: 'xqzjvkw' }, 'password'],
    ['a common password', { password: 'Baseball1' }, 'password'],
    ['a password that is not a string', { password: 12345678 }, 'password'],
  ])('400 for %s, and nothing changes', async (_, body, field) => {
    unchanged ??= await create()
    const { id } = unchanged
    const before = (await show(id)).json
    const { status, json } = await patch(id, body)
    expect([status, json.details.validationErrors[0].field]).toEqual([400, field])
    expect((await show(id)).json).toEqual(before)
  })

  it('400 for the user name as password', async () => {
    const { id, username } = await create()
    const { status, text } = await patch(id, { password: username.toUpperCase() })
    expect(status).toBe(400)
    expect(text).not.toContain(username.toUpperCase())
  })

  it.each([crypto.randomUUID(), 'jdbcuser', 'NAME%23jdbcuser'])('404 for an unknown user: %s', async (id) => {
    for (const body of [{ enabled: false }, { password: 'a long password' }]) {
      expect(await patch(id, body)).toMatchObject({ status: 404, json: { message: 'User not found' } })
    }
  })

  it('B32 403 for the caller’s own password, which another endpoint changes with the current one', async () => {
    const { id, username } = await create('ROLE_ADMIN')
    const { json: own } = await login(username)
    const answer = await patch(id, { password: 'another of eve' }, bearer(own.token))
    expect(answer.status).toBe(403)
    expect(answer.json.details.failedCondition).toBe("hasPermission(#userId, 'User', 'UPDATE')")
    expect((await login(username)).status).toBe(200)
  })
})

describe('the sessions of an account', () => {
  async function openSession(username: string): Promise<CookieClient> {
    const browser = new CookieClient()
    await browser.login(username, PASSWORD)
    return browser
  }

  it('S18 are shown to an admin, and end together with the tokens', async () => {
    const { id, username } = await create('ROLE_ADMIN')
    const browsers = [await openSession(username), await openSession(username)]
    const token = olderToken(id, username)
    const { json: shown } = await call(`/api/users/${id}/sessions`, admin())
    expect(shown.sessions).toHaveLength(2)
    expect(shown.sessions[0]).toMatchObject({ authType: 'FORM', current: false })
    const ended = await call(`/api/users/${id}/sessions`, { method: 'DELETE', ...admin() })
    expect([ended.status, ended.text]).toEqual([204, ''])
    for (const browser of browsers) expect((await browser.call('/api/auth/info')).status).toBe(401)
    const refused = await call('/api/users/x', { method: 'DELETE', ...bearer(token) })
    expect(refused.json.details.tokenStatus).toBe('REVOKED')
    expect((await call(`/api/users/${id}/sessions`, admin())).json).toEqual({ sessions: [] })
    expect((await openSession(username)).cookies.has('JSESSIONID')).toBe(true)
  })

  it('S18 of the directory: its id is the id from the directory', async () => {
    const browser = new CookieClient()
    await browser.login('ldapadmin', demoUser('ldapadmin').password)
    const { json } = await login('ldapadmin', demoUser('ldapadmin').password)
    const { uid } = JSON.parse(Buffer.from(json.token.split('.')[1], 'base64url').toString())
    const token = olderToken(uid, 'ldapadmin')
    expect(uid).toMatch(/^ldap:/)
    const path = `/api/users/${encodeURIComponent(uid)}/sessions`
    expect((await call(path, admin())).json.sessions.length).toBeGreaterThan(0)
    expect((await call(path, { method: 'DELETE', ...admin() })).status).toBe(204)
    expect((await browser.call('/api/auth/info')).status).toBe(401)
    const refused = await call('/api/users/x', { method: 'DELETE', ...bearer(token) })
    expect(refused.json.details.tokenStatus).toBe('REVOKED')
  })

  it('S18 of a provider: its own id names the account', async () => {
    const path = `/api/users/${encodeURIComponent(`google:${crypto.randomUUID()}`)}/sessions`
    expect(await call(path, admin())).toMatchObject({ status: 200, json: { sessions: [] } })
    expect((await call(path, { method: 'DELETE', ...admin() })).status).toBe(204)
  })

  it.each([
    crypto.randomUUID(),
    'jdbcuser',
    'NAME%23jdbcuser',
    'NAME%23google:1',
    'elsewhere:1',
    'ldap:',
    `google:${'x'.repeat(3000)}`,
  ])('404 for an impossible account: %s', async (id) => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await call(`/api/users/${id}/sessions`, { method, ...admin() })
      expect([method, answer.status, answer.json.message]).toEqual([method, 404, 'User not found'])
    }
  })
})

describe('lastLoginAt', () => {
  it.each([
    ['a token', (username: string) => login(username)],
    ['the form', (username: string) => new CookieClient().login(username, PASSWORD)],
    ['HTTP Basic', (username: string) => call('/api/auth/info', basic(username, PASSWORD))],
  ])('is the time of a login by %s', async (_, come) => {
    const { id, username } = await create()
    const before = new Date().toISOString()
    await come(username)
    const { lastLoginAt } = (await show(id)).json
    expect(lastLoginAt >= before && lastLoginAt <= new Date().toISOString()).toBe(true)
  })

  it('is null after a wrong password, and accurate to about a minute after right ones', async () => {
    const { id, username } = await create()
    expect((await login(username, 'wrong')).status).toBe(401)
    expect((await show(id)).json.lastLoginAt).toBeNull()
    await login(username)
    const { lastLoginAt } = (await show(id)).json
    await login(username)
    expect((await show(id)).json.lastLoginAt).toBe(lastLoginAt)
  })
})
