import { describe, expect, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { CookieClient } from '../support/browser-client.ts'
import { type Answer, basic, bearer, type Call, call, form } from '../support/client.ts'
import { claims, forge } from '../support/forge.ts'

const name = () => `u-${crypto.randomUUID().slice(0, 8)}`
const PASSWORD = 'pässword of eve'
const GOOD = { username: 'x', password: PASSWORD, role: 'ROLE_USER' }

async function as(user: string, request: Call = {}): Promise<Call> {
  const { headers } = bearer(await tokenOf(user))
  return { ...request, headers: { ...headers, ...request.headers } }
}

async function create(user: string, body: unknown, type = 'application/json') {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return call('/api/users', await as(user, { method: 'POST', headers: { 'content-type': type }, body: text }))
}

async function remove(user: string, id: string): Promise<Answer> {
  return call(`/api/users/${id}`, await as(user, { method: 'DELETE' }))
}

describe('auth-7: all checks pass, and POST /api/users answers 201 on creation', () => {
  it('to an admin, and the user can log in at once, with any spelling of the name', async () => {
    const username = `${name()}-Ü`
    const { status, json, headers } = await create('admin', { ...GOOD, username })
    expect(status).toBe(201)
    expect(headers['location']).toBe(`/api/users/${json.id}`)
    expect(json).toMatchObject({ username, role: 'ROLE_USER' })
    const login = await call('/api/auth/login', form({ username: username.toUpperCase(), password: PASSWORD }))
    expect(login.json.username).toBe(username)
  })

  it.each([
    ['in another case', 'ADMIN'],
    ['in bold letters', '𝐚𝐝𝐦𝐢𝐧'],
    ['in the directory', 'LDAPUser'],
  ])('B16 409 when the name is taken: %s', async (_, username) => {
    const { status, json } = await create('admin', { ...GOOD, username })
    expect(status).toBe(409)
    expect(json).toMatchObject({ error: 'Conflict', message: 'User already exists' })
  })

  it.each([
    ['broken JSON', '{', 'body'],
    ['B16 a name with an invisible character', { ...GOOD, username: 'adm\u200bin' }, 'username'],
    ['B19 a name like that of a user of a provider', { ...GOOD, username: 'google:1' }, 'username'],
    ['a password of 7 characters', { ...GOOD, password: 'xqzjvkw' }, 'password'],
    ['the user name as password', { ...GOOD, username: 'eve.smith', password: 'Eve.Smith' }, 'password'],
    ['an unknown role', { ...GOOD, role: 'ROOT' }, 'role'],
  ])('400 for %s', async (_, body, field) => {
    const { status, json, text } = await create('admin', body)
    expect([status, json.details.validationErrors[0].field]).toEqual([400, field])
    expect(text).not.toContain(PASSWORD)
  })

  it('415 without a JSON content type', async () => {
    expect((await create('admin', '{}', 'text/plain')).status).toBe(415)
  })
})

describe('auth-4, auth-6, http-27: method-level security fails with 403 and says why', () => {
  it.each([
    ['POST', '/api/users', 'null', 'CREATE'],
    ['DELETE', '/api/users/x', '#userId', 'DELETE'],
  ])('%s %s for a user', async (method, path, target, permission) => {
    const { status, json } = await call(path, await as('user', { method }))
    expect(status).toBe(403)
    expect(json).toMatchObject({
      error: 'Access Denied',
      message: 'Method access denied',
      details: {
        methodSecurity: true,
        expression: `hasRole('ADMIN') and hasPermission(${target}, 'User', '${permission}')`,
        evaluationResult: false,
        failedCondition: "hasRole('ADMIN')",
        requiredRole: 'ROLE_ADMIN',
        userRoles: ['ROLE_USER'],
        resource: path,
        action: method,
      },
    })
  })

  it('B15 DELETE for the caller’s own account: the permission half fails', async () => {
    const username = name()
    const { json: created } = await create('admin', { ...GOOD, username, role: 'ROLE_ADMIN' })
    const token = forge(claims({ sub: username, uid: created.id, iat: Math.floor(Date.now() / 1000) }))
    const own = await call(`/api/users/${created.id}`, { method: 'DELETE', ...bearer(token) })
    expect(own.status).toBe(403)
    expect(own.json.details.failedCondition).toBe("hasPermission(#userId, 'User', 'DELETE')")
    expect((await remove('admin', created.id)).status).toBe(204)
  })

  it('401 without credentials takes precedence', async () => {
    expect((await call('/api/users/x', { method: 'DELETE' })).status).toBe(401)
  })
})

describe('DELETE /api/users/{userId}', () => {
  it('J11, B18 204 on success; Basic calls and sessions end with the next request, and the token reads until its exp, but changes nothing', async () => {
    const username = name()
    const { json: created } = await create('admin', { ...GOOD, username, role: 'ROLE_ADMIN' })
    const browser = new CookieClient()
    await browser.login(username, PASSWORD)
    const { json: login } = await call('/api/auth/login', form({ username, password: PASSWORD }))
    const [withPassword, withToken] = [basic(username, PASSWORD), bearer(login.token)]
    for (const request of [withPassword, withPassword, withToken]) {
      expect((await call('/api/auth/info', request)).status).toBe(200)
    }
    expect((await browser.call('/api/auth/info')).status).toBe(200)

    const { status, text } = await remove('admin', created.id)
    expect([status, text]).toEqual([204, ''])
    expect((await call('/api/auth/info', withPassword)).status).toBe(401)
    expect((await browser.call('/api/auth/info')).status).toBe(401)
    expect((await call('/api/admin/secure', withToken)).status).toBe(200)
    const change = await call('/api/users/x', { ...withToken, method: 'DELETE' })
    expect(change).toMatchObject({ status: 401, json: { details: { tokenStatus: 'REVOKED' } } })
  })

  it('404 for an unknown user', async () => {
    const { status, json } = await remove('admin', crypto.randomUUID())
    expect(status).toBe(404)
    expect(json).toMatchObject({ error: 'Not Found', message: 'User not found' })
  })
})
