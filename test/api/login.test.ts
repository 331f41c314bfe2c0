import { describe, expect, it } from 'vitest'
import { demoUser } from '../support/accounts.ts'
import { call, form } from '../support/client.ts'
import { postJson } from '../support/events.ts'

const path = '/api/auth/login'

describe('POST /api/auth/login answers 200 with the login result', () => {
  it('for a JSON object', async () => {
    const { password } = demoUser('admin')
    const { status, json } = await call(path, postJson({ username: 'admin', password }))
    expect([status, json.username, json.role]).toEqual([200, 'admin', 'ROLE_ADMIN'])
  })

  it('for a form, with a JWT of HS512 whose claims are sub, role, iat and an exp 24 hours later', async () => {
    const before = Math.floor(Date.now() / 1000)
    const { status, json } = await call(path, form({ username: 'user', password: demoUser('user').password }))
    expect(status).toBe(200)
    expect(json).toMatchObject({
      username: 'user',
      role: 'ROLE_USER',
      message: 'Login successful - use this JWT token for authenticated requests',
      usage: 'Add header: Authorization: Bearer <ACCESS_TOKEN>',
    })
    const [header, payload] = json.token
      .split('.')
      .slice(0, 2)
      .map((part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()))
    expect(header).toMatchObject({ alg: 'HS512', typ: 'JWT' })
    expect(payload).toMatchObject({ sub: 'user', role: 'ROLE_USER' })
    expect(payload.exp - payload.iat).toBe(86_400)
    expect(payload.iat).toBeGreaterThanOrEqual(before)
    expect(payload.iat).toBeLessThanOrEqual(Date.now() / 1000)
  })
})

const USERNAME = 'Username is required and cannot be empty'
const PASSWORD = 'Password is required and cannot be empty'
const noUsername = { field: 'username', message: USERNAME }
const noPassword = { field: 'password', message: PASSWORD, rejectedValue: '' }

describe('POST /api/auth/login answers 400 when a field is empty or missing', () => {
  it.each([
    ['both missing', form(''), [{ ...noUsername, rejectedValue: null }, noPassword]],
    ['JSON with an empty password', postJson({ username: 'admin', password: '' }), [noPassword]],
  ])('%s', async (_, request, validationErrors) => {
    const { status, json } = await call(path, request)
    expect(status).toBe(400)
    expect(json).toMatchObject({
      status: 400,
      error: 'Bad Request',
      message: 'Validation failed for request parameters',
      details: { validationErrors },
      path,
    })
  })
})

it('POST /api/auth/login answers 415 to another content type', async () => {
  const body = 'username=user&password=user-demo'
  const { status, json } = await call(path, { method: 'POST', headers: { 'content-type': 'text/plain' }, body })
  expect([status, json.message]).toEqual([415, 'Content type is not supported'])
})

describe('POST /api/auth/login answers 401 to bad credentials', () => {
  const badUser = { authType: 'Login', reason: 'Bad credentials' }

  it.each([
    ['a wrong password', { username: 'admin', password: 'wrong' }],
    ['a name with NUL and line breaks', { username: 'admin\0\r\n', password: 'wrong' }],
  ])('%s', async (_, fields) => {
    const { status, json, headers } = await call(path, form(fields))
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe('Bearer realm="API"')
    expect(json).toMatchObject({
      error: 'Unauthorized',
      message: 'Invalid username or password',
      details: badUser,
      path,
    })
  })

  it('B05 with the same bytes for an unknown user and a wrong password, except the time', async () => {
    const answers = await Promise.all(
      ['admin', 'nobody'].map((username) => call(path, form({ username, password: 'wrong' }))),
    )
    const [known, unknown] = answers.map(({ json }) => ({ ...json, timestamp: '' }))
    expect(known).toEqual(unknown)
  })
})

it('POST /api/auth/login answers 403 to a browser on another site', async () => {
  const { headers, ...request } = form({ username: 'admin', password: demoUser('admin').password })
  const foreign = { ...headers, 'sec-fetch-site': 'cross-site' }
  const { status, json } = await call(path, { ...request, headers: foreign })
  expect(status).toBe(403)
  expect(json).toMatchObject({ error: 'Access Denied', message: 'Origin is not trusted', details: { origin: null } })
})
