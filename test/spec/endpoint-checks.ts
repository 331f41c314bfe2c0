import { expect } from 'vitest'
import { demoUser } from '../support/accounts.ts'
import { basic, bearer, call, form } from '../support/client.ts'
import type { Caller } from './callers.ts'
import type { Checks } from './checks.ts'
import { expectRefusal, noCredentials, unknownPath, wrongMethod, wrongRole } from './refusals.ts'
import { newUser, postUser } from './user-administration.ts'

const HELLO = '/api/public/hello'
const LOGIN = '/api/auth/login'
const INFO = '/api/auth/info'
const ADMIN = '/api/admin/secure'
const USER = '/api/user/secure'

const AUTH_TYPES: Readonly<Record<Caller['kind'], string>> = {
  JWT: 'JWT',
  'Basic, database': 'JDBC',
  'Basic, directory': 'LDAP',
  'OAuth2 session': 'OAuth2',
  'form session': 'FORM',
}

const AN_INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/)

/** The rest of what the security context holds, by the kind of credentials. */
function principalOf({ kind, username }: Caller): object {
  const owner = username.startsWith('ldap') ? 'DirectoryUser' : 'DatabaseUser'
  const principals: Readonly<Record<Caller['kind'], object>> = {
    JWT: { principalType: 'JwtUser', tokenExpiresAt: AN_INSTANT },
    'Basic, database': { principalType: 'DatabaseUser' },
    'Basic, directory': { principalType: 'DirectoryUser' },
    'OAuth2 session': { principalType: 'OidcUser', sessionExpiresAt: AN_INSTANT },
    'form session': { principalType: owner, sessionExpiresAt: AN_INSTANT },
  }
  return principals[kind]
}

const greetingOf = (name: string, { kind, username, roles }: Caller) => ({
  message: `Hello, ${name}! (secured endpoint)`,
  user: username,
  authorities: roles.map((authority) => ({ authority })),
  authType: AUTH_TYPES[kind],
})

export const endpointChecks = {
  '4/json': async ({ admin, store }) => {
    const { password } = demoUser(`${store}user`)
    const answers = [
      await call(HELLO),
      await call(LOGIN, form({ username: `${store}user`, password })),
      await admin.call(INFO),
      await admin.call(ADMIN),
      await admin.call('/api/users', postUser(newUser())),
      await call('/webhooks/payment', { method: 'POST', body: '{}' }),
      await call('/nothing'),
    ]
    for (const { headers, text } of answers) {
      expect(headers['content-type']).toMatch(/^application\/json\b/)
      expect(JSON.parse(text)).toBeTypeOf('object')
    }
  },

  '4.1/public-hello': async ({ admin }) => {
    for (const credentials of [{}, bearer('a.b.c'), basic('admin', 'wrong')]) {
      expect((await call(HELLO, credentials)).status).toBe(200)
    }
    expect((await admin.call(HELLO)).status).toBe(200)
  },

  '4.1/auth-info': async ({ admins, users, guests }) => {
    for (const caller of [...admins, ...users, ...guests]) {
      const { kind, username, roles, call } = caller
      const { status, json } = await call(INFO)
      expect(status, kind).toBe(200)
      expect(json, kind).toEqual({
        authenticated: true,
        username,
        authorities: roles.map((authority) => ({ authority })),
        authType: AUTH_TYPES[kind],
        ...principalOf(caller),
      })
    }
  },

  '4.1/admin-secure': async ({ admins, users, guests }) => {
    expectRefusal(await call(ADMIN), noCredentials(ADMIN))
    for (const { kind, call } of admins) expect((await call(ADMIN)).status, kind).toBe(200)
    for (const { kind, roles, call } of [...users, ...guests]) {
      expectRefusal(await call(ADMIN), wrongRole(ADMIN, 'ROLE_ADMIN', roles), kind)
    }
  },

  '4.1/user-secure': async ({ admins, users, guests }) => {
    for (const { kind, roles, call } of [...admins, ...users]) {
      const { status, json } = await call(USER)
      const name = roles.includes('ROLE_ADMIN') ? 'Admin' : 'User'
      expect([status, json.message], kind).toEqual([200, `Hello, ${name}! (secured endpoint)`])
    }
    for (const { kind, call } of guests) expectRefusal(await call(USER), wrongRole(USER, 'ROLE_USER', []), kind)
  },

  '4.1/admin-message': async ({ admins }) => {
    for (const { kind, call } of admins) expect((await call(ADMIN)).json.message, kind).toBeTypeOf('string')
  },

  '4.1/greetings': async ({ admins, users }) => {
    expect((await call(HELLO)).json).toEqual({
      message: 'Hello, world! (public endpoint - no authentication required)',
    })
    for (const admin of admins) {
      expect((await admin.call(ADMIN)).json).toEqual(greetingOf('Admin', admin))
      expect((await admin.call(USER)).json).toEqual(greetingOf('Admin', admin))
    }
    for (const user of users) expect((await user.call(USER)).json).toEqual(greetingOf('User', user))
  },

  '4.1/unknown-or-wrong': async () => {
    const unknown = ['/nothing', '/api', '/api/admin', '/api/admin/secure/', '/API/admin/secure', '/webhooks']
    for (const path of unknown) expectRefusal(await call(path), unknownPath(path))
    for (const [method, path, supported] of [
      ['DELETE', HELLO, 'GET, HEAD'],
      ['GET', LOGIN, 'POST'],
      ['PUT', ADMIN, 'GET, HEAD'],
      ['DELETE', '/api/users', 'GET, HEAD, POST'],
      ['PUT', '/api/users/somebody', 'DELETE, GET, HEAD, PATCH'],
      ['GET', '/webhooks/stripe', 'HEAD, POST'],
    ] as const) {
      expectRefusal(await call(path, { method }), wrongMethod(path, method, supported.split(', ')), path)
    }
  },
} satisfies Checks<'4' | '4.1'>
