import { describe, expect, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { CookieClient } from '../support/browser-client.ts'
import { type Answer, bearer, type Call, call, form } from '../support/client.ts'

const name = () => `u-${crypto.randomUUID().slice(0, 8)}`
const PASSWORD = 'pässword of eve'

async function as(user: string, request: Call = {}): Promise<Call> {
  const { headers } = bearer(await tokenOf(user))
  return { ...request, headers: { ...headers, ...request.headers } }
}

async function create(user: string, body: unknown, headers: Call['headers'] = { 'content-type': 'application/json' }) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return call('/api/users', await as(user, { method: 'POST', headers, body: text }))
}

async function remove(user: string, id: string): Promise<Answer> {
  return call(`/api/users/${id}`, await as(user, { method: 'DELETE' }))
}

describe('auth-7: all checks pass, and POST /api/users answers 201 on creation', () => {
  it('to an admin, and the user can log in at once, with any spelling of the name', async () => {
    const username = `${name()}-Ü`
    const { status, json, headers } = await create('admin', { username, password: PASSWORD, role: 'ROLE_USER' })
    expect(status).toBe(201)
    expect(headers['location']).toBe(`/api/users/${json.id}`)
    expect(json).toMatchObject({ username, role: 'ROLE_USER' })
    const login = await call('/api/auth/login', form({ username: username.toUpperCase(), password: PASSWORD }))
    expect(login.json.username).toBe(username)
  })

  it('B16 409 when the name is taken, in any case', async () => {
    const { status, json } = await create('admin', { username: 'ADMIN', password: PASSWORD, role: 'ROLE_USER' })
    expect(status).toBe(409)
    expect(json).toMatchObject({ error: 'Conflict', message: 'User already exists' })
  })

  it.each([
    ['bold letters', '𝐚𝐝𝐦𝐢𝐧'],
    ['wide letters', 'ａｄｍｉｎ'],
  ])('B16 409 when the name is that of another in another composition: %s', async (_, username) => {
    const { status, json } = await create('admin', { username, password: PASSWORD, role: 'ROLE_USER' })
    expect([status, json.message]).toEqual([409, 'User already exists'])
  })

  it.each(['a\u0335dmin', 'admin\u20dd', 'admin\u0338', 'adm\u200bin', '\u202eadmin'])(
    'B16 400 when a mark or an invisible character would make a name look like another: %j',
    async (username) => {
      const { status, json } = await create('admin', { username, password: PASSWORD, role: 'ROLE_USER' })
      expect([status, json.details.validationErrors]).toEqual([
        400,
        [{ field: 'username', message: 'must be 1 to 64 letters, digits or . _ - @ +', rejectedValue: username }],
      ])
    },
  )

  it.each(['ldapadmin', 'LDAPUser'])('B16 409 when the directory has the name: %s', async (username) => {
    const { status, json } = await create('admin', { username, password: PASSWORD, role: 'ROLE_USER' })
    expect([status, json.message]).toEqual([409, 'User already exists'])
    const login = await call('/api/auth/login', form({ username, password: PASSWORD }))
    expect(login.status).toBe(401)
  })

  it.each([
    ['broken JSON', '{', 'body'],
    ['100,000 levels', '['.repeat(100_000), 'body'],
    [
      '__proto__',
      '{"__proto__":{"role":"ROLE_ADMIN"},"username":"x","password":"12345678","role":"ROLE_USER"}',
      'body',
    ],
    ['a list', '[]', 'body'],
    ['no name', { password: PASSWORD, role: 'ROLE_USER' }, 'username'],
    ['a name of 65 characters', { username: 'x'.repeat(65), password: PASSWORD, role: 'ROLE_USER' }, 'username'],
    ['a password of 7 characters', { username: 'x', password: 'xqzjvkw', role: 'ROLE_USER' }, 'password'],
    ['a password of two emoji', { username: 'x', password: '😀😀', role: 'ROLE_USER' }, 'password'],
    ['a password of 1,025 bytes', { username: 'x', password: 'p'.repeat(1025), role: 'ROLE_USER' }, 'password'],
    ['a common password', { username: 'x', password: 'Baseball1', role: 'ROLE_USER' }, 'password'],
    ['the user name as password', { username: 'eve.smith', password: 'Eve.Smith', role: 'ROLE_USER' }, 'password'],
    ['a password that is not a string', { username: 'x', password: 12345678, role: 'ROLE_USER' }, 'password'],
    ['an unknown role', { username: 'x', password: PASSWORD, role: 'ROOT' }, 'role'],
  ])('400 for %s', async (_, body, field) => {
    const { status, json, text } = await create('admin', body)
    expect(status).toBe(400)
    expect(json.details.validationErrors[0].field).toBe(field)
    expect(text).not.toContain(PASSWORD)
  })

  it.each([
    ['B16 with an invisible letter', 'admin\u200b'],
    ['B16 with a soft hyphen', 'ad\u00admin'],
    ['B16 with a change of direction', '\u202enimda'],
    ['B16 with a Hangul filler', 'admin\u3164'],
    ['B16 with a Hangul initial filler', 'adm\u115fin'],
    ['B16 with a variation selector', 'admin\ufe0f'],
    ['B16 with a grapheme joiner', 'admin\u034f'],
    ['B16 with a blank at its end', 'admin '],
    ['B16 with a blank of another kind', '\u3000admin'],
    ['B19 like that of a user of a provider', 'google:1'],
  ])('%s: 400', async (_, username) => {
    const { status, json } = await create('admin', { username, password: PASSWORD, role: 'ROLE_USER' })
    expect(status).toBe(400)
    expect(json.details.validationErrors[0].field).toBe('username')
  })

  it.each([{}, { 'content-type': 'text/plain' }, { 'content-type': 'application/x-www-form-urlencoded' }])(
    '415 without a JSON content type: %j',
    async (headers) => {
      expect((await create('admin', '{}', headers)).status).toBe(415)
    },
  )
})

describe('auth-4, auth-6, http-27: method-level security fails with 403 and says why', () => {
  const DENIED = { error: 'Access Denied', message: 'Method access denied' }

  it('POST /api/users for a user', async () => {
    const { status, json } = await create('user', {})
    expect(status).toBe(403)
    expect(json).toMatchObject({
      ...DENIED,
      details: {
        methodSecurity: true,
        expression: "hasRole('ADMIN') and hasPermission(null, 'User', 'CREATE')",
        evaluationResult: false,
        failedCondition: "hasRole('ADMIN')",
        requiredRole: 'ROLE_ADMIN',
        userRoles: ['ROLE_USER'],
        resource: '/api/users',
        action: 'POST',
      },
    })
  })

  it('DELETE /api/users/{userId} for a user', async () => {
    const { status, json } = await remove('user', crypto.randomUUID())
    expect(status).toBe(403)
    expect(json).toMatchObject({
      ...DENIED,
      details: {
        expression: "hasRole('ADMIN') and hasPermission(#userId, 'User', 'DELETE')",
        failedCondition: "hasRole('ADMIN')",
      },
    })
  })

  it('B15 DELETE for the caller’s own account: the permission half fails', async () => {
    const username = name()
    const { json: created } = await create('admin', { username, password: PASSWORD, role: 'ROLE_ADMIN' })
    const { json: login } = await call('/api/auth/login', form({ username, password: PASSWORD }))
    const own = await call(`/api/users/${created.id}`, { method: 'DELETE', ...bearer(login.token) })
    expect(own.status).toBe(403)
    expect(own.json.details.failedCondition).toBe("hasPermission(#userId, 'User', 'DELETE')")
    expect((await remove('admin', created.id)).status).toBe(204)
  })

  it('401 without credentials takes precedence', async () => {
    expect((await call('/api/users/x', { method: 'DELETE' })).status).toBe(401)
  })
})

describe('DELETE /api/users/{userId}', () => {
  it('J11 204 on success; the user’s Basic calls and sessions end with the next request, and the token is valid until its exp', async () => {
    const username = name()
    const { json: created } = await create('admin', { username, password: PASSWORD, role: 'ROLE_USER' })
    const basic = { headers: { authorization: `Basic ${Buffer.from(`${username}:${PASSWORD}`).toString('base64')}` } }
    const browser = new CookieClient()
    await browser.login(username, PASSWORD)
    const { json: login } = await call('/api/auth/login', form({ username, password: PASSWORD }))
    for (const request of [basic, basic, bearer(login.token)]) {
      expect((await call('/api/auth/info', request)).status).toBe(200)
    }
    expect((await browser.call('/api/auth/info')).status).toBe(200)

    const { status, text } = await remove('admin', created.id)
    expect([status, text]).toEqual([204, ''])
    expect((await call('/api/auth/info', basic)).status).toBe(401)
    expect((await browser.call('/api/auth/info')).status).toBe(401)
    expect((await call('/api/auth/info', bearer(login.token))).status).toBe(200)
  })

  it('B18 a new user of the same name has no session and no password of the deleted one', async () => {
    const username = name()
    const { json: created } = await create('admin', { username, password: PASSWORD, role: 'ROLE_ADMIN' })
    const browser = new CookieClient()
    await browser.login(username, PASSWORD)
    await remove('admin', created.id)
    expect((await create('admin', { username, password: 'another password', role: 'ROLE_USER' })).status).toBe(201)
    expect((await browser.call('/api/auth/info')).status).toBe(401)
    expect((await call('/api/auth/login', form({ username, password: PASSWORD }))).status).toBe(401)
  })

  it('B18 the token of a deleted admin reads until it expires, changes nothing, and does not belong to a new user of that name', async () => {
    const username = name()
    const { json: created } = await create('admin', { username, password: PASSWORD, role: 'ROLE_ADMIN' })
    const { json: login } = await call('/api/auth/login', form({ username, password: PASSWORD }))
    await remove('admin', created.id)
    const own = bearer(login.token)
    expect((await call('/api/admin/secure', own)).status).toBe(200)
    const answer = () => call(`/api/users/${crypto.randomUUID()}`, { ...own, method: 'DELETE' })
    const revoked = { status: 401, json: { details: { tokenStatus: 'REVOKED' } } }
    expect(await answer()).toMatchObject(revoked)
    await create('admin', { username, password: PASSWORD, role: 'ROLE_ADMIN' })
    expect(await answer()).toMatchObject(revoked)
  })

  it.each([crypto.randomUUID(), 'nobody', 'ID%23x'])('404 for an unknown user: %s', async (id) => {
    const { status, json } = await remove('admin', id)
    expect(status).toBe(404)
    expect(json).toMatchObject({ error: 'Not Found', message: 'User not found' })
  })
})
