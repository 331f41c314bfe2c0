import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { Authenticator } from '../../authenticator.ts'
import type { Callers } from '../callers.ts'
import type { RequestCases } from './case.ts'
import { basic, cookie, form, get, postJson } from './requests.ts'

const LOGIN = { username: 'jdbcuser', password: 'jdbcuser-demo' }

/** With a token, with Basic, without either: the endpoints that show who gets in, and those of users. */
export function access({ bearer, call, login }: Callers): RequestCases {
  const admin = () => bearer('ROLE_ADMIN')
  const user = () => bearer('ROLE_USER')

  async function inSession(method: string, target: string) {
    const session = await login()
    const type = ['content-type', 'application/json'] as const
    return { method, target, headers: [cookie(session), ['x-xsrf-token', session.csrfToken], type] as const }
  }

  async function newUser(): Promise<string> {
    const body = { username: `user-${randomUUID()}`, password: 'a long password', role: 'ROLE_USER' }
    const { json } = await call('usersCreate', postJson('/api/users', body, await admin()))
    return json.id
  }

  return {
    publicHello: [
      { what: 'a request of anybody', request: () => get('/api/public/hello'), answer: { status: 200 } },
      {
        what: 'headers that came twice',
        request: () => get('/api/public/hello', ['accept', 'text/html'], ['Accept', '*/*'], ['x-a', '1'], ['x-a', '2']),
        answer: { status: 200 },
      },
    ],
    authLogin: [
      {
        what: 'a form in base64',
        request: () => form('/api/auth/login', LOGIN),
        answer: { status: 200, json: { role: 'ROLE_USER', username: 'jdbcuser' } },
      },
      {
        what: 'a form as text',
        request: () => ({ ...form('/api/auth/login', LOGIN), asText: true }),
        answer: { status: 200, json: { role: 'ROLE_USER', username: 'jdbcuser' } },
      },
      {
        what: 'a wrong password',
        request: () => form('/api/auth/login', { ...LOGIN, password: 'wrong' }),
        answer: { status: 401 },
      },
    ],
    authInfo: [
      {
        what: 'a token',
        request: async () => get('/api/auth/info', await user()),
        answer: { status: 200, json: { authType: 'JWT' } },
      },
      {
        what: 'a session among other cookies',
        request: async () => get('/api/auth/info', cookie(await login())),
        answer: { status: 200, json: { authType: 'FORM', username: 'jdbcadmin' } },
      },
      {
        what: 'two tokens, which the gateway joins',
        request: async () => get('/api/auth/info', await user(), await user()),
        answer: { status: 400 },
      },
    ],
    adminSecure: [
      {
        what: 'the token of an admin',
        request: async () => get('/api/admin/secure', await admin()),
        answer: { status: 200 },
      },
      {
        what: 'the token of a user',
        request: async () => get('/api/admin/secure', await user()),
        answer: { status: 403 },
      },
    ],
    userSecure: [
      { what: 'a token', request: async () => get('/api/user/secure', await user()), answer: { status: 200 } },
      { what: 'no credentials', request: () => get('/api/user/secure'), answer: { status: 401 } },
    ],
    jdbcUsers: [
      {
        what: 'Basic of the database',
        request: () => get('/api/jdbc/users', basic('jdbcuser', 'jdbcuser-demo')),
        answer: { status: 200, json: { user: 'jdbcuser' } },
      },
      {
        what: 'Basic with a wrong password',
        request: () => get('/api/jdbc/users', basic('jdbcuser', 'wrong')),
        answer: { status: 401, headers: { 'www-authenticate': /^Basic/ } },
      },
    ],
    ldapUsers: [
      {
        what: 'Basic of the directory',
        request: () => get('/api/ldap/users', basic('ldapunicode', 'pässwörd-密码')),
        answer: { status: 200, json: { user: 'ldapunicode' } },
      },
    ],
    usersCreate: [
      {
        what: 'JSON with letters beyond ASCII',
        request: async () => {
          const body = { username: `jürgen-${randomUUID()}`, password: 'pässwörd-密码', role: 'ROLE_USER' }
          return postJson('/api/users', body, await admin())
        },
        answer: { status: 201, json: { role: 'ROLE_USER' }, headers: { location: /^\/api\/users\// } },
      },
      {
        what: 'what is no JSON',
        request: async () => ({ ...postJson('/api/users', {}, await admin()), body: '{' }),
        answer: { status: 400 },
      },
    ],
    keysCreate: [
      {
        what: 'a name beyond ASCII',
        request: async () => postJson('/api/keys', { name: 'Lager Süd', sources: ['payment'] }, await admin()),
        answer: { status: 201, json: { name: 'Lager Süd' }, headers: { location: /^\/api\/keys\/[0-9a-z]{13}$/ } },
      },
    ],
    keys: [
      {
        what: 'a page of one key',
        request: async () => {
          await call('keysCreate', postJson('/api/keys', { name: 'first' }, await admin()))
          return get('/api/keys?limit=1', await admin())
        },
        answer: { status: 200, json: { keys: [{ lastUsedAt: null }] } },
      },
    ],
    keysDelete: [
      {
        what: 'the id of a key',
        request: async () => {
          const { json } = await call('keysCreate', postJson('/api/keys', { name: 'short-lived' }, await admin()))
          return { method: 'DELETE', target: `/api/keys/${json.id}`, headers: [await admin()] }
        },
        answer: { status: 204, text: /^$/ },
      },
    ],
    messagesCreate: [
      {
        what: 'a body beyond ASCII',
        request: async () =>
          postJson('/api/messages', { destination: '/topic/public/news', body: 'grüß Gott' }, await admin()),
        answer: { status: 202 },
      },
      {
        what: 'a user of the directory',
        request: async () =>
          postJson('/api/messages', { destination: '/user/ldapuser/queue/a', body: [1] }, await admin()),
        answer: { status: 202 },
      },
    ],
    users: [
      {
        what: 'a page of one user',
        request: async () => get('/api/users?limit=1', await admin()),
        answer: { status: 200, json: { users: [{ enabled: true }] } },
      },
    ],
    user: [
      {
        what: 'the id of a user',
        request: async () => get(`/api/users/${await newUser()}`, await admin()),
        answer: { status: 200, json: { role: 'ROLE_USER', lastLoginAt: null } },
      },
    ],
    usersUpdate: [
      {
        what: 'a role and a password beyond ASCII',
        request: async () => ({
          ...postJson(
            `/api/users/${await newUser()}`,
            { role: 'ROLE_ADMIN', password: 'pässwörd-密码' },
            await admin(),
          ),
          method: 'PATCH',
        }),
        answer: { status: 200, json: { role: 'ROLE_ADMIN', enabled: true } },
      },
    ],
    userSessions: [
      {
        what: 'an account of a provider',
        request: async () => get('/api/users/google%3A17/sessions', await admin()),
        answer: { status: 200, json: { sessions: [] } },
      },
    ],
    userSessionsDelete: [
      {
        what: 'the id of a user',
        request: async () => ({
          method: 'DELETE',
          target: `/api/users/${await newUser()}/sessions`,
          headers: [await admin()],
        }),
        answer: { status: 204, text: /^$/ },
      },
    ],
    userPasskeys: [
      {
        what: 'the id of a user',
        request: async () => get(`/api/users/${await newUser()}/passkeys`, await admin()),
        answer: { status: 200, json: { passkeys: [] } },
      },
    ],
    userPasskeysDelete: [
      {
        what: 'the id of no passkey',
        request: async () => ({
          method: 'DELETE',
          target: `/api/users/${await newUser()}/passkeys/${'0'.repeat(64)}`,
          headers: [await admin()],
        }),
        answer: { status: 404 },
      },
    ],
    userKeys: [
      {
        what: 'the id of a user',
        request: async () => get(`/api/users/${await newUser()}/keys`, await admin()),
        answer: { status: 200, json: { keys: [], nextCursor: null } },
      },
    ],
    accountPassword: [
      {
        what: 'a wrong current password',
        request: () =>
          postJson(
            '/api/account/password',
            { current: 'wrong', new: 'another-密码' },
            basic(LOGIN.username, LOGIN.password),
          ),
        answer: { status: 400, json: { details: { validationErrors: [{ field: 'current' }] } } },
      },
    ],
    accountSessions: [
      {
        what: 'a session among other cookies',
        request: async () => get('/api/account/sessions', cookie(await login())),
        answer: {
          status: 200,
          json: { sessions: expect.arrayContaining([expect.objectContaining({ current: true })]) },
        },
      },
    ],
    liveTicket: [
      {
        what: 'a session with its CSRF token',
        request: async () => {
          const session = await login()
          const headers = [cookie(session), ['x-xsrf-token', session.csrfToken]] as const
          return { method: 'POST', target: '/api/live-ticket', headers }
        },
        answer: { status: 201, json: { ticket: expect.stringMatching(/^[\w-]{43}$/) } },
      },
    ],
    passkeyRegistrationOptions: [
      {
        what: 'a session with its CSRF token',
        request: () => inSession('POST', '/api/passkeys/registration/options'),
        answer: { status: 200, json: { attestation: 'none' } },
      },
    ],
    passkeysCreate: [
      {
        what: 'a credential that answers no options',
        request: async () => {
          const authenticator = new Authenticator('https://nowhere.example')
          const options = { rp: { id: 'nowhere.example' }, user: { id: 'dQ' }, challenge: 'eA' }
          const body = JSON.stringify({ name: 'laptop', credential: authenticator.create(options) })
          return { ...(await inSession('POST', '/api/passkeys/registration')), body }
        },
        answer: { status: 400, json: { details: { validationErrors: [{ field: 'credential' }] } } },
      },
    ],
    passkeys: [
      {
        what: 'a session among other cookies',
        request: () => inSession('GET', '/api/passkeys'),
        answer: { status: 200, json: { passkeys: [] } },
      },
    ],
    passkeysDelete: [
      {
        what: 'the id of no passkey',
        request: () => inSession('DELETE', `/api/passkeys/${'0'.repeat(64)}`),
        answer: { status: 404, json: { message: 'Passkey not found' } },
      },
    ],
    accountSessionsDelete: [
      {
        what: 'the id of no session',
        request: async () => ({
          method: 'DELETE',
          target: `/api/account/sessions/${'0'.repeat(64)}`,
          headers: [await user()],
        }),
        answer: { status: 404, json: { message: 'Session not found' } },
      },
    ],
    usersDelete: [
      {
        what: 'the id of a user',
        request: async () => ({ method: 'DELETE', target: `/api/users/${await newUser()}`, headers: [await admin()] }),
        answer: { status: 204, text: /^$/ },
      },
    ],
  }
}
