import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionKey } from '../../lib/auth/session.ts'
import { CATALOG, type ErrorCode } from '../../lib/errors.ts'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { makeKey, withKey } from '../support/api-keys.ts'
import { CookieClient } from '../support/browser-client.ts'
import { type Answer, basic, bearer, type Call, call, form } from '../support/client.ts'
import { claims, forge, HEADER } from '../support/forge.ts'
import { putRow, storedRow } from '../support/local-tables.ts'
import { serve } from '../support/served.ts'
import { DIRECT, freeOffset, type Stack, startStack, temporaryFolder } from '../support/stack.ts'

interface Sent extends Call {
  readonly path: string
}

interface Row {
  readonly code: ErrorCode
  readonly what: string
  readonly refused: () => Sent | Promise<Sent>
  /** What the refusal says: its message, its details, and headers. */
  readonly says: readonly [message: string, details: unknown, headers?: object]
  /** The call as a client makes it that knows nothing but the answer, and who it is. */
  readonly advised: (answer: Answer, sent: Sent) => Sent | Promise<Sent>
  /** Where it is refused, if not where all tests call. */
  readonly at?: 'jdbc'
}

const INFO = '/api/auth/info'
const LOGIN = '/api/auth/login'
const ORIGIN = 'https://shop.example'
const USER = { username: 'user', password: demoUser('user').password }
const ACCOUNT = { username: `advised-${randomUUID().slice(0, 8)}`, password: 'a password of its own' }
const BOTH = 'Bearer realm="API", Basic realm="API", charset="UTF-8"'

const json = (body: unknown, headers = {}): Call => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
const asUser = () => basic(USER.username, USER.password)
const asAdmin = async () => bearer(await tokenOf('admin'))

/** A token of a new login. */
async function loggedIn({ username, password } = USER): Promise<string> {
  return (await call(LOGIN, form({ username, password }))).json.token
}

async function session(): Promise<CookieClient> {
  const client = new CookieClient()
  await client.login(USER.username, USER.password)
  return client
}

const cookieOf = ({ cookies }: CookieClient) => `JSESSIONID=${cookies.get('JSESSIONID')}`

/** The kinds of credentials that a refusal lists, as a user has them. */
async function accepted(answer: Answer): Promise<Call> {
  const [first] = answer.json.details.accepted
  return first === 'Bearer' ? bearer(await tokenOf('user')) : first === 'Basic' ? asUser() : (await session()).asCall()
}

/** The same call in a session that began now. */
async function inSession(_: Answer, sent: Sent): Promise<Sent> {
  const client = await session()
  return { ...sent, headers: { cookie: cookieOf(client), ...client.csrf() } }
}

const ROWS: readonly Row[] = [
  {
    code: 'AUTHENTICATION_REQUIRED',
    what: 'no credentials',
    refused: () => ({ path: INFO }),
    says: ['Authentication required', undefined, { 'www-authenticate': BOTH }],
    advised: ({ headers }, sent) => ({ ...sent, ...(/Basic/.test(String(headers['www-authenticate'])) && asUser()) }),
  },
  {
    code: 'SCHEME_NOT_ACCEPTED',
    what: 'a scheme that is not accepted',
    refused: () => ({ path: INFO, headers: { authorization: 'Digest username="user"' } }),
    says: ['Authentication required', { reason: 'Digest is not accepted here', accepted: expect.any(Array) }],
    advised: async (answer, sent) => ({ ...sent, ...(await accepted(answer)) }),
  },
  {
    code: 'SESSION_REQUIRED',
    what: 'a token where only a session counts',
    refused: async () => ({ path: '/api/oauth2/profile', ...bearer(await tokenOf('user')) }),
    says: [
      'Authentication required',
      { reason: 'This endpoint takes the session of a login: log in at /login', accepted: ['session'] },
    ],
    advised: async (answer, { path }) => ({ path, ...(await accepted(answer)) }),
  },
  {
    code: 'TOKEN_NOT_ACCEPTED',
    what: 'a token in a profile without',
    at: 'jdbc',
    refused: async () => ({ path: INFO, ...bearer(await loggedIn()) }),
    says: [
      'Authentication required',
      { reason: 'This profile takes no bearer tokens over HTTP', accepted: ['Basic', 'session'] },
    ],
    advised: async (answer, { path }) => ({ path, ...(await accepted(answer)) }),
  },
  ...(['query', 'cookie', 'header x-access-token'] as const).map((place): Row => {
    const named = place === 'header x-access-token' ? `the ${place}` : place === 'query' ? 'the query' : 'a cookie'
    return {
      code: 'TOKEN_MISPLACED',
      what: `a token in ${named}`,
      async refused() {
        const token = await tokenOf('user')
        if (place === 'query') return { path: `${INFO}?access_token=${token}` }
        const headers: Call['headers'] = place === 'cookie' ? { cookie: `token=${token}` } : { 'x-access-token': token }
        return { path: INFO, headers }
      },
      says: [
        'Authentication required',
        { reason: `A token counts in the Authorization header only; one came in ${named}` },
      ],
      advised: (_, { path, headers = {} }) => {
        const [token = ''] = /eyJ[\w.-]+/.exec(`${path} ${Object.values(headers)}`) ?? []
        return { path: INFO, ...bearer(token) }
      },
    }
  }),
  {
    code: 'TOKEN_INVALID',
    what: 'a token without iss and aud that names our key',
    refused: () => ({ path: INFO, ...bearer(forge(claims(), { ...HEADER, kid: 'first' })) }),
    says: [
      'Invalid or expired JWT token',
      { tokenStatus: 'MISSING_CLAIMS', tokenError: 'The token lacks iss, aud' },
      { 'www-authenticate': 'Bearer realm="API", error="invalid_token"' },
    ],
    advised: ({ json: { details } }) => {
      const lacking = details.tokenError.replace('The token lacks ', '').split(', ')
      const added = Object.fromEntries(lacking.map((name: string) => [name, 'gatehouse']))
      return { path: INFO, ...bearer(forge(claims(added), { ...HEADER, kid: 'first' })) }
    },
  },
  {
    code: 'TOKEN_INVALID',
    what: 'a token from before the end of all logins',
    async refused() {
      const sent = { path: '/logout?everywhere=true', method: 'POST', ...bearer(await loggedIn(ACCOUNT)) }
      expect((await call(sent.path, sent)).status).toBe(204)
      return sent
    },
    says: [
      'Invalid or expired JWT token',
      { tokenStatus: 'REVOKED', tokenError: 'The logins of the account ended after the token was issued' },
    ],
    advised: async (_, sent) => ({ ...sent, ...bearer(await loggedIn(ACCOUNT)) }),
  },
  {
    code: 'TOKEN_EXPIRED',
    what: 'a token past its end',
    refused: () => ({ path: INFO, ...bearer(forge(claims({ iat: 1, exp: 2 }))) }),
    says: [
      'JWT token has expired',
      expect.objectContaining({ tokenStatus: 'EXPIRED', tokenError: 'The token is past its expiry time' }),
    ],
    advised: async (_, sent) => ({ ...sent, ...bearer(await loggedIn()) }),
  },
  {
    code: 'BAD_CREDENTIALS',
    what: 'a wrong password',
    refused: () => ({ path: INFO, ...basic(USER.username, 'wrong') }),
    says: [
      'Invalid username or password',
      { authType: 'Basic Authentication', reason: 'Bad credentials' },
      { 'www-authenticate': 'Basic realm="API", charset="UTF-8"' },
    ],
    advised: (_, sent) => ({ ...sent, ...asUser() }),
  },
  {
    code: 'API_KEY_INVALID',
    what: 'a key that is none',
    refused: () => ({ path: '/api/webhooks/events', ...withKey('ghk_x') }),
    says: ['Invalid API key', { authType: 'API Key', reason: 'Bad credentials' }],
    advised: async (_, sent) => ({ ...sent, ...withKey((await makeKey()).key) }),
  },
  {
    code: 'KEY_OUT_OF_SCOPE',
    what: 'a source that a key does not read',
    refused: async () => ({ path: '/api/webhooks/events?source=bank', ...withKey((await makeKey(['shop'])).key) }),
    says: [CATALOG.KEY_OUT_OF_SCOPE.message, { keyId: expect.any(String), sources: ['shop'] }],
    advised: ({ json: { details } }, sent) => ({ ...sent, path: `/api/webhooks/events?source=${details.sources[0]}` }),
  },
  {
    code: 'ROLE_REQUIRED',
    what: 'a role that is missing',
    refused: async () => ({ path: '/api/admin/secure', ...bearer(await tokenOf('user')) }),
    says: [
      "You don't have permission to access this resource",
      expect.objectContaining({ requiredRole: 'ROLE_ADMIN', userRoles: ['ROLE_USER'] }),
    ],
    advised: async (_, sent) => ({ ...sent, ...(await asAdmin()) }),
  },
  {
    code: 'METHOD_ACCESS_DENIED',
    what: 'a permission that is missing',
    refused: async () => {
      const { headers } = bearer(await tokenOf('user'))
      const user = { username: `made-${randomUUID().slice(0, 8)}`, password: ACCOUNT.password, role: 'ROLE_USER' }
      return { path: '/api/users', ...json(user, headers) }
    },
    says: ['Method access denied', expect.objectContaining({ requiredRole: 'ROLE_ADMIN' })],
    advised: async (_, sent) => ({ ...sent, headers: { ...sent.headers, ...(await asAdmin()).headers } }),
  },
  {
    code: 'LOGIN_TOO_OLD',
    what: 'a login of before for what makes a credential',
    async refused() {
      const client = await session()
      const key = { sessionKey: sessionKey(client.cookies.get('JSESSIONID') ?? '') }
      await putRow('sessions', { ...(await storedRow('sessions', key)), createdAt: Date.now() - 600_000 })
      return {
        path: '/api/passkeys/registration/options',
        method: 'POST',
        headers: { cookie: cookieOf(client), ...client.csrf() },
      }
    },
    says: [
      'Log in again to do this',
      { reason: 'The login is too old', maxAgeSeconds: 300, loggedInAt: expect.any(String) },
    ],
    advised: inSession,
  },
  {
    code: 'CSRF_TOKEN_MISSING',
    what: 'a session without its CSRF token',
    refused: async () => ({ path: '/api/live-ticket', method: 'POST', ...(await session()).asCall() }),
    says: ['Invalid CSRF token', { reason: 'The call carries a session cookie (JSESSIONID) and no CSRF token' }],
    advised: inSession,
  },
  {
    code: 'CSRF_TOKEN_MISSING',
    what: 'a session’s cookie that came along',
    refused: async () => {
      const { headers, ...rest } = form(USER)
      return { path: LOGIN, ...rest, headers: { ...headers, cookie: cookieOf(await session()) } }
    },
    says: ['Invalid CSRF token', { reason: 'The call carries a session cookie (JSESSIONID) and no CSRF token' }],
    advised: (_, { headers: { cookie: _cookie, ...headers } = {}, ...sent }) => ({ ...sent, headers }),
  },
  {
    code: 'CSRF_TOKEN_WRONG',
    what: 'the CSRF token of another session',
    refused: async () => {
      const headers = { cookie: cookieOf(await session()), ...(await session()).csrf() }
      return { path: '/api/live-ticket', method: 'POST', headers }
    },
    says: ['Invalid CSRF token', { reason: 'The CSRF token is not that of the session cookie (JSESSIONID)' }],
    advised: inSession,
  },
  {
    code: 'ORIGIN_NOT_TRUSTED',
    what: 'a page of an origin that is not trusted',
    refused: () => ({ path: LOGIN, ...form(USER), headers: { ...form(USER).headers, origin: ORIGIN } }),
    says: ['Origin is not trusted', { origin: ORIGIN, setting: 'TRUSTED_ORIGINS' }],
    advised: ({ json: { details } }, sent) => {
      expect(settings).toMatchObject({ [details.setting]: details.origin })
      turnTo(second)
      return sent
    },
  },
  {
    code: 'CROSS_SITE_LOGIN',
    what: 'a page of another site that begins a login',
    refused: () => ({ path: '/oauth2/authorization/google', headers: { 'sec-fetch-site': 'cross-site' } }),
    says: ['A page of another site cannot begin a login', undefined],
    advised: (_, sent) => ({ ...sent, headers: { 'sec-fetch-site': 'same-origin' } }),
  },
  {
    code: 'METHOD_NOT_SUPPORTED',
    what: 'another method',
    refused: async () => ({ path: INFO, method: 'PUT', ...bearer(await tokenOf('user')) }),
    says: [
      'Request method is not supported',
      { requestMethod: 'PUT', supportedMethods: ['GET', 'HEAD'] },
      { allow: 'GET, HEAD' },
    ],
    advised: ({ json: { details } }, sent) => ({ ...sent, method: details.supportedMethods[0] }),
  },
  {
    code: 'MEDIA_TYPE_UNSUPPORTED',
    what: 'JSON where only a form is read',
    refused: () => ({ path: '/login', ...json(USER) }),
    says: [
      'Content type is not supported',
      { given: 'application/json' },
      { accept: 'application/x-www-form-urlencoded' },
    ],
    advised: ({ headers }, sent) => ({
      ...sent,
      ...form(USER),
      headers: { 'content-type': String(headers['accept']) },
    }),
  },
  {
    code: 'CODING_UNSUPPORTED',
    what: 'a body in gzip',
    refused: () => {
      const { headers, body = '', ...rest } = form(USER)
      return { path: LOGIN, ...rest, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(body) }
    },
    says: ['Content coding is not supported', { given: 'gzip' }, { 'accept-encoding': 'identity' }],
    advised: ({ headers }, { path }) => {
      const sent = form(USER)
      return { path, ...sent, headers: { ...sent.headers, 'content-encoding': String(headers['accept-encoding']) } }
    },
  },
  {
    code: 'VALIDATION_FAILED',
    what: 'a form that is not UTF-8',
    refused: () => ({ path: LOGIN, ...form('username=user&password=gr%FC%DFe') }),
    says: ['Validation failed for request parameters', says('Password', 'Password must be UTF-8')],
    advised: (_, sent) => ({ ...sent, body: new URLSearchParams(USER).toString() }),
  },
  {
    code: 'VALIDATION_FAILED',
    what: 'a field that came twice',
    refused: () => ({ path: LOGIN, ...form(`username=a&${new URLSearchParams(USER)}`) }),
    says: ['Validation failed for request parameters', says('Username', 'Username must be sent once')],
    advised: (_, sent) => ({ ...sent, body: String(sent.body).replace('username=a&', '') }),
  },
  {
    code: 'VALIDATION_FAILED',
    what: 'two tokens in one',
    refused: async () => {
      const token = await tokenOf('user')
      return { path: INFO, headers: { authorization: `Bearer ${token}, Bearer ${token}` } }
    },
    says: ['Validation failed for request parameters', says('Authorization', 'Authorization must be sent once')],
    advised: (_, sent) => ({
      ...sent,
      headers: { authorization: String(sent.headers?.['authorization']).split(',')[0] ?? '' },
    }),
  },
]

function says(field: string, message: string) {
  const named = expect.stringMatching(new RegExp(`^${field}$`, 'i'))
  return { validationErrors: [expect.objectContaining({ field: named, message })] }
}

/** Refusals that no client over HTTP can mend by another call of the API, or that are said elsewhere. */
const ELSEWHERE: Readonly<Partial<Record<ErrorCode, string>>> = {
  SIGNATURE_INVALID: 'to the sender of a webhook; npm run explain says why',
  SIGNATURE_INVALID_BARE: 'the same without a text',
  NOT_BY_DOMAIN: 'by a deployed stage behind CloudFront: its address is another one',
  TICKET_INVALID: 'by the stream of events and by STOMP',
  DESTINATION_CLOSED: 'by STOMP',
  PASSWORD_ELSEWHERE: 'it is changed in the directory or at the provider',
  PASSKEYS_ELSEWHERE: 'they are kept by the provider',
  KEYS_ELSEWHERE: 'an admin makes the key whose role no provider gives',
}

const STATUSES: readonly number[] = [401, 403, 405, 415]

let second: Stack
let settings: Readonly<Record<string, string>>
const folder = temporaryFolder()

const turnTo = ({ ready }: Stack) => serve({ http: ready.http, ready, jwtSecret: '' })

beforeAll(async () => {
  settings = {
    TRUSTED_ORIGINS: ORIGIN,
    PROFILE: 'jdbc',
    DATA_DIR: folder.path,
    PORT_OFFSET: String(await freeOffset()),
  }
  second = await startStack(settings, [], [], DIRECT)
  const { headers } = await asAdmin()
  const made = await call('/api/users', json({ ...ACCOUNT, role: 'ROLE_USER' }, headers))
  expect(made.status).toBe(201)
})

afterAll(async () => {
  serve(undefined)
  await second?.stop()
  folder.remove()
})

describe('http-44 each refusal says what it is for, and who does what it says succeeds', () => {
  it.each(ROWS.map((row) => [row.code, row.what, row] as const))('%s: %s', async (code, _, row) => {
    if (row.at) turnTo(second)
    try {
      const sent = await row.refused()
      const answer = await call(sent.path, sent)
      const [message, details, headers = {}] = row.says
      expect(answer.status).toBe(CATALOG[code].status)
      expect([answer.json.message, answer.json.details]).toEqual([message, details])
      expect(answer.headers).toMatchObject(headers)
      const advised = await row.advised(answer, sent)
      const { status, text } = await call(advised.path, advised)
      expect(status, text).toBeLessThan(400)
    } finally {
      serve(undefined)
    }
  })

  it('there is a row for each cause', () => {
    const causes = (Object.keys(CATALOG) as readonly ErrorCode[]).filter((code) =>
      STATUSES.includes(CATALOG[code].status),
    )
    expect(new Set([...ROWS.map(({ code }) => code), ...Object.keys(ELSEWHERE)])).toEqual(
      new Set([...causes, 'VALIDATION_FAILED']),
    )
  })
})
