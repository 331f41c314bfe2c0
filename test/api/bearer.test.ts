import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { CookieClient } from '../support/browser-client.ts'
import { bearer, type Call, call, form } from '../support/client.ts'
import { claims, encode, forge } from '../support/forge.ts'

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
    const { status, json, headers } = await call(path)
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe('Bearer realm="API"')
    expect(json).toMatchObject({ error: 'Unauthorized', message: 'Authentication required', path })
    expect(json.details).toBeUndefined()
  })

  it.each(['Digest username="a", realm="b"', 'Bearerx', 'Negotiate abc', 'admin'])(
    'an unsupported scheme counts as no credentials: %s',
    async (authorization) => {
      const { status, json } = await call('/api/admin/secure', { headers: { authorization } })
      expect(status).toBe(401)
      expect(json.message).toBe('Authentication required')
    },
  )
})

describe('auth-3: no role is required, access granted', () => {
  it.each([
    ['admin', 'ROLE_ADMIN'],
    ['user', 'ROLE_USER'],
  ])('GET /api/auth/info describes the security context of %s', async (username, authority) => {
    const { status, json } = await call('/api/auth/info', bearer(await tokenOf(username)))
    expect(status).toBe(200)
    expect(json).toMatchObject({
      authenticated: true,
      username,
      authorities: [{ authority }],
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
    ['/api/admin/secure', 'admin', 'Hello, Admin! (secured endpoint)', 'ROLE_ADMIN'],
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

  it.each(['bearer', 'BEARER', 'Bearer '])('the scheme name in any case: %s', async (scheme) => {
    const { status } = await call('/api/admin/secure', { headers: { authorization: `${scheme} ${forge()}` } })
    expect(status).toBe(200)
  })
})

describe('H09 more than one Authorization is 400', () => {
  it.each([
    ['repeated', ['Bearer a', 'Bearer b']],
    ['repeated with two schemes', ['Bearer a', 'Basic b']],
    ['joined by a comma', 'Bearer a, Bearer b'],
  ])('%s', async (_, authorization) => {
    const { status, json } = await call('/api/user/secure', { headers: { authorization } })
    expect(status).toBe(400)
    expect(json.details.validationErrors).toEqual([
      { field: 'Authorization', message: 'Authorization must be sent once', rejectedValue: null },
    ])
  })
})

describe('J12 a JWT that was signed for another purpose is not accepted as a token', () => {
  it('one of ours: a session, its CSRF token, the transaction of a login', async () => {
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

  it('one of another issuer: an ID token, however well it is signed', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const signed = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims({ iss: 'https://accounts.google.com' }))}`
    const token = `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
    const { status, json } = await call('/api/auth/info', bearer(token))
    expect([status, json.details.tokenStatus]).toEqual([401, 'UNSUPPORTED_ALGORITHM'])
  })
})

describe('J13 a valid token outside of the Authorization header is ignored', () => {
  it.each<[string, (token: string) => readonly [path: string, request: Call]]>([
    ['the query', (token) => [`/api/admin/secure?access_token=${token}`, {}]],
    [
      'a cookie',
      (token) => ['/api/admin/secure', { headers: { cookie: `access_token=${token}; Authorization=Bearer ${token}` } }],
    ],
    ['the cookie of the session', (token) => ['/api/admin/secure', { headers: { cookie: `JSESSIONID=${token}` } }]],
    ['a form', (token) => ['/api/users', form({ access_token: token })]],
  ])('in %s', async (_, given) => {
    const { status, json } = await call(...given(await tokenOf('admin')))
    expect(status).toBe(401)
    expect(json.message).toBe('Authentication required')
  })
})
