import { describe, expect, it } from 'vitest'
import { demoUser } from '../support/accounts.ts'
import { basic, call, form } from '../support/client.ts'
import { inFull } from '../support/full-runs.ts'

const PATH = '/api/jdbc/users'
const as = (username: string) => basic(username, demoUser(username).password)

const REFUSED = {
  error: 'Unauthorized',
  message: 'Invalid username or password',
  details: { authType: 'Basic Authentication', reason: 'Bad credentials' },
}

describe('GET /api/jdbc/users answers 200 to database users with HTTP Basic', () => {
  it('an admin sees all users, and no secret', async () => {
    const { status, json, text } = await call(PATH, as('admin'))
    expect(status).toBe(200)
    expect(json.user).toBe('admin')
    const names = json.users.map(({ username }: { username: string }) => username)
    expect(names).toEqual(expect.arrayContaining(['admin', 'user', 'jdbcadmin', 'jdbcuser']))
    expect(text).not.toContain('argon2')
  })

  it('B17 a user sees only themselves', async () => {
    const { json } = await call(PATH, as('jdbcuser'))
    expect(json.users).toEqual([{ username: 'jdbcuser', roles: ['ROLE_USER'], enabled: true }])
  })
})

describe('401', () => {
  it.each([
    ['a wrong password', PATH, `Basic ${Buffer.from('admin:wrong').toString('base64')}`],
    ['no base64', '/api/admin/secure', 'Basic %%%'],
  ])('B01 for bad credentials: %s', async (_, path, authorization) => {
    const { status, json, headers } = await call(path, { headers: { authorization } })
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe('Basic realm="API", charset="UTF-8"')
    expect(json).toMatchObject(REFUSED)
  })

  it.each([
    ['no credentials', {}],
    ['another kind', { headers: { authorization: 'Bearer a.b.c' } }],
  ])('for %s, which offers Basic', async (_, request) => {
    const { status, json, headers } = await call(PATH, request)
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe('Bearer realm="API", Basic realm="API", charset="UTF-8"')
    expect(json.message).toBe('Authentication required')
  })
})

const LOGINS = inFull(60)

it(`B07 ${LOGINS} logins at once are all answered, and so are calls without a password`, async () => {
  const credentials = { username: 'nobody', password: 'wrong' }
  const logins = Array.from({ length: LOGINS }, () => call('/api/auth/login', form(credentials)))
  const others = Array.from({ length: 50 }, () => call('/api/public/hello'))
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual(Array(50).fill(200))
  // A machine that is too slow for so many hashes says so in time, instead of not at all.
  for (const { status } of await Promise.all(logins)) expect([401, 503]).toContain(status)
})

it('HTTP Basic opens the endpoints that accept any method, and is named; 403 without the role', async () => {
  const { json } = await call('/api/auth/info', as('user'))
  expect(json).toMatchObject({ username: 'user', authType: 'JDBC', principalType: 'DatabaseUser' })
  expect((await call('/api/admin/secure', as('user'))).status).toBe(403)
})
