import { describe, expect, it } from 'vitest'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { call, form } from '../support/client.ts'
import { inFull } from '../support/full-runs.ts'

function basic(username: string, password: string) {
  return { headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` } }
}
const as = (username: string) => basic(username, demoUser(username).password)

const REFUSED = {
  error: 'Unauthorized',
  message: 'Invalid username or password',
  details: { authType: 'Basic Authentication', reason: 'Bad credentials' },
}

describe('GET /api/jdbc/users answers 200 to database users with HTTP Basic', () => {
  it('an admin sees all users, and no secret', async () => {
    const { status, json, text } = await call('/api/jdbc/users', as('admin'))
    expect(status).toBe(200)
    expect(json.user).toBe('admin')
    const names = json.users.map(({ username }: { username: string }) => username)
    expect(names).toEqual(expect.arrayContaining(['admin', 'user', 'jdbcadmin', 'jdbcuser']))
    expect(text).not.toContain('argon2')
  })

  it('B17 a user sees only themselves', async () => {
    const { json } = await call('/api/jdbc/users', as('jdbcuser'))
    expect(json.users).toEqual([{ username: 'jdbcuser', roles: ['ROLE_USER'], enabled: true }])
  })

  it('the scheme and the user name match in any case, the password only exactly', async () => {
    const { authorization } = as('admin').headers
    const shouted = authorization.replace('Basic', 'BASIC')
    expect((await call('/api/jdbc/users', { headers: { authorization: shouted } })).status).toBe(200)
    expect((await call('/api/jdbc/users', basic('ADMIN', demoUser('admin').password))).status).toBe(200)
    expect((await call('/api/jdbc/users', basic('admin', demoUser('admin').password.toUpperCase()))).status).toBe(401)
  })
})

describe('B01 GET /api/jdbc/users answers 401 on bad credentials', () => {
  const encode = (text: string) => Buffer.from(text).toString('base64')

  it.each([
    ['a wrong password', encode('admin:wrong')],
    ['an unknown user', encode('nobody-at-all:wrong')],
    ['no colon', encode('admin')],
    ['an empty user', encode(':admin-demo')],
    ['an empty password', encode('admin:')],
    ['no base64', '%%%'],
    ['base64url', encode('admin:??>>~~').replaceAll('/', '_').replaceAll('+', '-').concat('-_')],
    ['a NUL', encode('admin\0:admin-demo')],
    ['bytes that are not UTF-8', Buffer.from([0xff, 0x3a, 0xff]).toString('base64')],
    ['nothing', ''],
    ['a password of 1,025 bytes', encode(`admin:${'p'.repeat(1025)}`)],
  ])('%s', async (_, credentials) => {
    const { status, json, headers } = await call('/api/jdbc/users', {
      headers: { authorization: `Basic ${credentials}` },
    })
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe('Basic realm="API", charset="UTF-8"')
    expect(json).toMatchObject(REFUSED)
  })

  it.each([
    ['no credentials', {}],
    ['another kind', { headers: { authorization: 'Bearer a.b.c' } }],
  ])('%s: like no credentials', async (_, request) => {
    const { status, json, headers } = await call('/api/jdbc/users', request)
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe('Bearer realm="API"')
    expect(json.message).toBe('Authentication required')
  })
})

describe('B02, B03 a password must match exactly, up to its last character', () => {
  async function created(password: string): Promise<string> {
    const username = `b-${crypto.randomUUID().slice(0, 8)}`
    const body = JSON.stringify({ username, password, role: 'ROLE_USER' })
    const headers = { authorization: `Bearer ${await tokenOf('admin')}`, 'content-type': 'application/json' }
    expect((await call('/api/users', { method: 'POST', headers, body })).status).toBe(201)
    return username
  }
  const statusOf = async (username: string, password: string) =>
    (await call('/api/jdbc/users', basic(username, password))).status

  it('B02 with colons and letters beyond ASCII, in either Unicode form', async () => {
    const username = await created('p\u00e4ss:w\u00f6rd:密码')
    expect(await statusOf(username, 'p\u00e4ss:w\u00f6rd:密码')).toBe(200)
    expect(await statusOf(username, 'pa\u0308ss:wo\u0308rd:密码')).toBe(200)
    expect(await statusOf(username, 'pass:word:密码')).toBe(401)
    expect(await statusOf(username, 'ｐ\u00e4ss:w\u00f6rd:密码')).toBe(401)
  })

  it('B03 with another end after 72 bytes is another password', async () => {
    const username = await created(`${'x'.repeat(72)}1`)
    expect(await statusOf(username, `${'x'.repeat(72)}1`)).toBe(200)
    expect(await statusOf(username, `${'x'.repeat(72)}2`)).toBe(401)
    expect(await statusOf(username, 'x'.repeat(72))).toBe(401)
  })
})

const LOGINS = inFull(60)

describe(`B07 ${LOGINS} logins at once`, () => {
  it('are all answered, and so are calls without a password', async () => {
    const credentials = { username: 'nobody', password: 'wrong' }
    const logins = Array.from({ length: LOGINS }, () => call('/api/auth/login', form(credentials)))
    const others = Array.from({ length: 50 }, () => call('/api/public/hello'))
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(Array(50).fill(200))
    // A machine that is too slow for so many hashes says so in time, instead of not at all.
    for (const { status } of await Promise.all(logins)) expect([401, 503]).toContain(status)
  })
})

describe('any method opens the endpoints that accept any', () => {
  it.each([
    ['/api/admin/secure', 'admin', 200],
    ['/api/admin/secure', 'user', 403],
    ['/api/user/secure', 'user', 200],
    ['/api/auth/info', 'jdbcuser', 200],
  ])('HTTP Basic on %s as %s: %d', async (path, user, status) => {
    expect((await call(path, as(user))).status).toBe(status)
  })

  it('GET /api/auth/info names the method', async () => {
    const { json } = await call('/api/auth/info', as('user'))
    expect(json).toMatchObject({ username: 'user', authType: 'JDBC', principalType: 'DatabaseUser' })
  })

  it('bad Basic credentials there get 401 with the Basic challenge', async () => {
    const { status, headers } = await call('/api/admin/secure', basic('admin', 'wrong'))
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toContain('Basic')
  })
})
