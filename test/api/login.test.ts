import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { userItems } from '../../lib/adapters/dynamodb/users.ts'
import { demoUser } from '../support/accounts.ts'
import { call, form } from '../support/client.ts'
import { postJson } from '../support/events.ts'
import { OUTDATED_HASH } from '../support/fakes/users.ts'
import { forgetRow, putRow, storedRow } from '../support/local-tables.ts'

const path = '/api/auth/login'

describe('POST /api/auth/login answers 200 with the login result', () => {
  it.each([
    ['admin', 'ROLE_ADMIN'],
    ['user', 'ROLE_USER'],
  ])('for %s with %s from the user store', async (username, role) => {
    const { status, json } = await call(path, form({ username, password: demoUser(username).password }))
    expect(status).toBe(200)
    expect(json).toMatchObject({
      username,
      role,
      message: 'Login successful - use this JWT token for authenticated requests',
      usage: 'Add header: Authorization: Bearer <ACCESS_TOKEN>',
    })
  })

  it.each(['application/json', 'Application/JSON;charset=utf-8'])('for a JSON object, sent as %s', async (type) => {
    const { password } = demoUser('admin')
    const { status, json } = await call(path, postJson({ username: 'admin', password }, { 'content-type': type }))
    expect([status, json.username, json.role]).toEqual([200, 'admin', 'ROLE_ADMIN'])
  })

  it('for a user name in any case', async () => {
    const { json } = await call(path, form({ username: 'ADMIN', password: demoUser('admin').password }))
    expect(json.username).toBe('admin')
  })

  it('with a JWT of HS512 whose claims are sub, role, iat and an exp 24 hours later', async () => {
    const before = Math.floor(Date.now() / 1000)
    const { json } = await call(path, form({ username: 'user', password: demoUser('user').password }))
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

it('a login renews a password hash with outdated parameters', async () => {
  const user = {
    id: randomUUID(),
    username: `outdated-${randomUUID()}`,
    roles: ['ROLE_USER'],
    enabled: true,
    createdAt: new Date(),
  } as const
  const rows = userItems({ ...user, passwordHash: OUTDATED_HASH })
  const key = { uid: user.id }
  for (const row of rows) await putRow('users', row)
  const { status } = await call(path, form({ username: user.username, password: 'correct horse' }))
  const renewed = await storedRow('users', key)
  for (const { uid } of rows) await forgetRow('users', { uid })
  expect(status).toBe(200)
  expect(renewed?.['passwordHash']).toContain('$m=19456,t=2,p=1$')
})

const USERNAME = 'Username is required and cannot be empty'
const PASSWORD = 'Password is required and cannot be empty'
const noUsername = { field: 'username', message: USERNAME }
const noPassword = { field: 'password', message: PASSWORD, rejectedValue: '' }

describe('POST /api/auth/login answers 400 when a field is empty or missing', () => {
  it.each([
    ['both empty', form({ username: '', password: '' }), [{ ...noUsername, rejectedValue: '' }, noPassword]],
    ['both missing', form(''), [{ ...noUsername, rejectedValue: null }, noPassword]],
    ['password empty', form({ username: 'admin', password: '' }), [noPassword]],
    ['username missing', form({ password: 'x' }), [{ ...noUsername, rejectedValue: null }]],
    ['username twice', form('username=a&username=b&password=x'), [{ ...noUsername, rejectedValue: null }]],
    ['no body', { method: 'POST' }, [{ ...noUsername, rejectedValue: null }, noPassword]],
    ['JSON with an empty password', postJson({ username: 'admin', password: '' }), [noPassword]],
    [
      'JSON with a field twice',
      postJson('{"username":"a","username":"b","password":"x"}'),
      [{ ...noUsername, rejectedValue: null }],
    ],
    [
      'JSON 10,000 levels deep',
      postJson('['.repeat(10_000)),
      [{ field: 'body', message: 'must not be nested deeper than 100', rejectedValue: null }],
    ],
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

it.each([
  ['text/plain', 'username=user&password=user-demo'],
  ['multipart/form-data; boundary=x', '--x--'],
  ['', '{"username":"user","password":"user-demo"}'],
])('POST /api/auth/login answers 415 to a body as %j', async (type, body) => {
  const headers = type === '' ? {} : { 'content-type': type }
  const { status, json } = await call(path, { method: 'POST', headers, body })
  expect([status, json.message]).toEqual([415, 'Content type is not supported'])
})

describe('POST /api/auth/login answers 401 to bad credentials', () => {
  const badUser = { authType: 'Login', reason: 'Bad credentials' }

  it.each([
    ['a wrong password', { username: 'admin', password: 'wrong' }],
    ['an unknown user', { username: 'nobody', password: 'wrong' }],
    ['blanks, which are not empty', { username: ' ', password: ' ' }],
    ['a name of 10,000 characters', { username: 'a'.repeat(10_000), password: 'wrong' }],
    ['a password of 1,025 bytes', { username: 'admin', password: 'p'.repeat(1025) }],
    ['a name that looks like an expression', { username: '__proto__', password: 'constructor' }],
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

describe('POST /api/auth/login refuses unsupported bodies', () => {
  it('answers 413 to a body over the limit', async () => {
    const { status, json } = await call(path, form({ username: 'a'.repeat(1_100_000), password: 'x' }))
    expect(status).toBe(413)
    expect(json).toMatchObject({ error: 'Payload Too Large', message: 'Payload too large' })
  })

  it('answers 415 to a content coding, and names what it takes', async () => {
    const { headers, ...request } = form({ username: 'admin', password: 'x' })
    const answer = await call(path, { ...request, headers: { ...headers, 'content-encoding': 'gzip' } })
    expect(answer.status).toBe(415)
    expect(answer.json).toMatchObject({ error: 'Unsupported Media Type', message: 'Content coding is not supported' })
    expect(answer.headers['accept-encoding']).toBe('identity')
  })

  it.each(['identity', '', 'UTF-8', ' utf8 '])('takes "%s" for no coding', async (coding) => {
    const { headers, ...request } = form({ username: 'admin', password: demoUser('admin').password })
    expect((await call(path, { ...request, headers: { ...headers, 'content-encoding': coding } })).status).toBe(200)
  })

  it.each([
    ['sec-fetch-site', 'cross-site'],
    ['sec-fetch-site', 'same-site'],
    ['origin', 'https://evil.example'],
    ['origin', 'null'],
  ])('answers 403 to a browser on another site: %s %s', async (name, value) => {
    const { headers, ...request } = form({ username: 'admin', password: demoUser('admin').password })
    const { status, json } = await call(path, { ...request, headers: { ...headers, [name]: value } })
    expect(status).toBe(403)
    expect(json).toMatchObject({ error: 'Access Denied', message: 'Invalid CSRF token' })
  })
})
