import { describe, expect, it } from 'vitest'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { CookieClient } from '../support/browser-client.ts'
import { bearer, type Call, call, challengeOf, form } from '../support/client.ts'
import { claims, forge } from '../support/forge.ts'

const GUARDED = [
  '/api/auth/info',
  '/api/admin/secure',
  '/api/user/secure',
  '/api/webhooks/events',
  '/api/webhooks/events/payment/evt_1',
  '/api/webhooks/replays/r-1',
]

describe('auth-2: a call without valid credentials gets 401', () => {
  it.each(GUARDED)('GET %s without credentials, with no details', async (path) => {
    const answer = await call(path)
    const { status, json } = answer
    expect(status).toBe(401)
    expect(challengeOf(answer)).toBe('Bearer realm="API"')
    expect(json).toMatchObject({ error: 'Unauthorized', message: 'Authentication required', path })
    expect(json.details).toBeUndefined()
  })
})

describe('auth-3: no role is required, access granted', () => {
  it('GET /api/auth/info describes the security context', async () => {
    const { status, json } = await call('/api/auth/info', bearer(await tokenOf('user')))
    expect(status).toBe(200)
    expect(json).toMatchObject({
      authenticated: true,
      username: 'user',
      authorities: [{ authority: 'ROLE_USER' }],
      authType: 'JWT',
      principalType: 'JwtUser',
    })
  })
})

describe('auth-4: a role is required and the user lacks it, 403', () => {
  it('GET /api/admin/secure for a user', async () => {
    const { status, json } = await call('/api/admin/secure', bearer(await tokenOf('user')))
    expect(status).toBe(403)
    expect(json).toMatchObject({
      error: 'Access Denied',
      message: "You don't have permission to access this resource",
      details: {
        requiredRole: 'ROLE_ADMIN',
        userRoles: ['ROLE_USER'],
        resource: '/api/admin/secure',
        action: 'GET',
      },
    })
  })
})

describe('auth-5: no permission is required, access granted', () => {
  it.each([
    ['/api/user/secure', 'admin', 'Hello, Admin! (secured endpoint)', 'ROLE_ADMIN'],
    ['/api/user/secure', 'user', 'Hello, User! (secured endpoint)', 'ROLE_USER'],
  ])('GET %s answers 200 to %s', async (path, user, message, authority) => {
    const { status, json } = await call(path, bearer(await tokenOf(user)))
    expect(status).toBe(200)
    expect(json).toEqual({ message, user, authorities: [{ authority }], authType: 'JWT' })
  })
})

describe('auth-23: the four claims sub, role, iat and exp suffice', () => {
  it('a token without kid, typ, iss, aud and jti is accepted', async () => {
    expect((await call('/api/admin/secure', bearer(forge(claims(), { alg: 'HS512' })))).status).toBe(200)
  })
})

it('H09 more than one Authorization is 400', async () => {
  const { status, json } = await call('/api/user/secure', { headers: { authorization: ['Bearer a', 'Basic b'] } })
  expect(status).toBe(400)
  expect(json.details.validationErrors).toEqual([
    { field: 'Authorization', message: 'Authorization must be sent once', rejectedValue: null },
  ])
})

it('J12 a session, its CSRF token and the transaction of a login are not accepted as a token', async () => {
  const client = new CookieClient()
  await client.login('admin', demoUser('admin').password)
  await client.call('/oauth2/authorization/google')
  const values = [...client.cookies].filter(([name]) => name !== 'oauth2_tabs').map(([, value]) => value)
  expect(values.length).toBeGreaterThanOrEqual(3)
  for (const value of values) {
    const { status, json } = await call('/api/auth/info', bearer(value))
    expect([status, json.details.tokenStatus]).toEqual([401, 'MALFORMED'])
  }
})

describe('J13 a valid token outside of the Authorization header is ignored', () => {
  it.each<[string, (token: string) => readonly [path: string, request: Call]]>([
    ['the query', (token) => [`/api/admin/secure?access_token=${token}`, {}]],
    [
      'cookies',
      (token) => ['/api/admin/secure', { headers: { cookie: `access_token=${token}; JSESSIONID=${token}` } }],
    ],
    ['a form', (token) => ['/api/users', form({ access_token: token })]],
  ])('in %s', async (_, given) => {
    const { status, json } = await call(...given(await tokenOf('admin')))
    expect(status).toBe(401)
    expect(json.message).toBe('Authentication required')
  })
})
