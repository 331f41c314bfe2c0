import { describe, expect, it } from 'vitest'
import { isInProfile } from '../../../../lib/auth/profile.ts'
import { ROUTES } from '../../../../lib/contract/gen/endpoints.ts'
import type { Route } from '../../../../lib/contract/route.ts'
import { type ChangingContext, endpoint, fallback, type GuardedContext } from '../../../../lib/http/endpoint.ts'
import { ok, type Reply } from '../../../../lib/http/message.ts'
import { constantHeaders } from '../../../../lib/http/middleware/security-headers.ts'
import { NO_NETWORKS } from '../../../../lib/runtime/address.ts'
import { fixedClock } from '../../../support/fakes/clock.ts'
import { type Call, httpEvent, lambdaContext } from '../../../support/fakes/http.ts'
import { recordingLog } from '../../../support/fakes/log.ts'
import { SECURED } from '../../../support/secured.ts'

const REPLY = { statusCode: 302, headers: { location: '/' } }

it('H23 every answer has the security headers in addition to its own, and over http none for https', () => {
  expect(constantHeaders(new URL('http://localhost:3000'))(REPLY)).toEqual({
    statusCode: 302,
    headers: { ...SECURED, location: '/' },
  })
})

const PARTNER = 'https://partner.example'
const OTHER = 'https://app.example:8443'

const edge: GuardedContext & ChangingContext = {
  clock: fixedClock(),
  log: recordingLog(),
  baseUrl: new URL('https://gatehouse.example'),
  trustedOrigins: [PARTNER, OTHER],
  trustedProxies: NO_NETWORKS,
  profile: 'default',
  checks: {},
  findSession: async () => undefined,
}
const closed = { ...edge, trustedOrigins: [] }

type Handler = ReturnType<typeof fallback>

const answerOf = (handler: Handler, given: Call): Promise<Reply> => handler(httpEvent(given), lambdaContext())

function corsHeaders({ headers }: Reply): readonly string[] {
  return Object.keys(headers).filter((name) => name.startsWith('access-control-'))
}

const hello = (app: typeof edge, run: () => Reply | Promise<Reply> = () => ok({})) =>
  endpoint(ROUTES.publicHello, app, run)
const HELLO = '/api/public/hello'

function failing(error: unknown): Handler {
  return hello(edge, () => Promise.reject(error))
}

const ANSWERS: readonly (readonly [string, number, Handler, Call])[] = [
  ['a success', 200, hello(edge), { path: HELLO }],
  ['a redirect', 302, hello(edge, () => ({ statusCode: 302, headers: { location: '/' } })), { path: HELLO }],
  ['a 401', 401, endpoint(ROUTES.adminSecure, edge, () => ok({})), { path: '/api/admin/secure' }],
  ['a 404', 404, fallback(edge), { path: '/api/nothing' }],
  ['a 431', 431, hello(edge), { path: HELLO, headers: { x: 'y'.repeat(20_000) } }],
  ['a bug', 500, failing(new TypeError('a bug')), { path: HELLO }],
]

describe('H28 the page of a trusted origin reads', () => {
  it.each(ANSWERS)('%s: %i', async (_, status, handler, given) => {
    for (const origin of [PARTNER, OTHER]) {
      const { statusCode, headers } = await answerOf(handler, { ...given, headers: { ...given.headers, origin } })
      expect(statusCode).toBe(status)
      expect(headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'Location, Retry-After, WWW-Authenticate',
        vary: 'Origin',
      })
    }
  })
})

describe('H28 a page of any other origin reads nothing', () => {
  it.each([
    'https://evil.example',
    'https://partner.example.evil.example',
    'http://partner.example',
    'https://partner.example:443',
    'https://PARTNER.example',
    'https://gatehouse.example',
    'null',
    '',
    `${PARTNER},https://evil.example`,
  ])('of %s', async (origin) => {
    for (const [, status, handler, given] of ANSWERS) {
      const reply = await answerOf(handler, { ...given, headers: { ...given.headers, origin } })
      expect([reply.statusCode, corsHeaders(reply), reply.headers['vary']]).toEqual([status, [], 'Origin'])
    }
  })

  it('if no origin is trusted', async () => {
    const reply = await answerOf(hello(closed), { path: HELLO, headers: { origin: PARTNER } })
    expect([corsHeaders(reply), reply.headers['vary']]).toEqual([[], undefined])
  })
})

describe('Vary', () => {
  it('is on every answer that depends on the origin, including a call without one', async () => {
    for (const [, , handler, given] of ANSWERS) {
      const reply = await answerOf(handler, given)
      expect([corsHeaders(reply), reply.headers['vary']]).toEqual([[], 'Origin'])
    }
  })

  it('keeps the other names', async () => {
    const asset = hello(edge, () => ({ statusCode: 200, headers: { vary: 'Accept-Encoding' } }))
    const { headers } = await answerOf(asset, { path: HELLO, headers: { origin: PARTNER } })
    expect(headers['vary']).toBe('Accept-Encoding, Origin')
  })
})

const preflight = (path: string, method: string, origin = PARTNER): Call => ({
  method: 'OPTIONS',
  path,
  headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization' },
})

describe('a preflight of a trusted origin', () => {
  it('is answered without a body, and with all allowed headers and methods', async () => {
    const reply = await answerOf(fallback(edge), preflight('/api/auth/login', 'POST'))
    expect(reply.body).toBeUndefined()
    expect(reply.statusCode).toBe(204)
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': PARTNER,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Authorization, Content-Type, Traceparent, X-XSRF-TOKEN',
      'access-control-max-age': '7200',
      vary: 'Access-Control-Request-Method, Origin',
    })
    expect(reply.headers).not.toHaveProperty('content-type')
  })

  it('allows the key of a machine where one is taken', async () => {
    const reply = await answerOf(fallback(edge), preflight('/api/webhooks/events', 'GET'))
    expect(reply.headers['access-control-allow-headers']).toMatch(/, X-Api-Key$/)
  })

  it('is answered with the methods of each path in the contract, for any requested method', async () => {
    const routes = Object.values<Route>(ROUTES).filter(({ path }) => !path.startsWith('/webhooks/'))
    for (const profile of ['default', 'jwt', 'oauth2']) {
      for (const { path } of routes) {
        const same = routes.filter((route) => route.path === path && isInProfile(route, profile))
        const taken = same.flatMap(({ method, changes }) => (method === 'GET' && !changes ? ['GET', 'HEAD'] : [method]))
        const methods = [...new Set(taken)].sort().join(', ')
        const filled = path.replaceAll(/\{\w+\}/g, 'x')
        const reply = await answerOf(fallback({ ...edge, profile }), preflight(filled, 'PATCH'))
        expect([path, reply.statusCode]).toEqual([path, 204])
        // A path may also be one of another route's.
        expect(reply.headers['access-control-allow-methods'] ?? '').toContain(methods)
      }
    }
  })

  it('allows no method without an endpoint, so that the page can read the 404 of a simple request', async () => {
    const { statusCode, headers } = await answerOf(fallback(edge), preflight('/api/nothing', 'GET'))
    expect([statusCode, headers['access-control-allow-methods']]).toEqual([204, undefined])
  })

  it('has the same answer from the function of the path', async () => {
    const asked = preflight(HELLO, 'GET')
    expect(await answerOf(hello(edge), asked)).toEqual(await answerOf(fallback(edge), asked))
  })

  it.each([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of a page that hides its origin', { origin: 'null' }],
  ])('%s gets the error of a wrong method', async (_, headers) => {
    const reply = await answerOf(fallback(edge), {
      ...preflight(HELLO, 'GET'),
      headers: { ...headers, 'access-control-request-method': 'GET' },
    })
    expect([reply.statusCode, reply.headers['allow'], corsHeaders(reply)]).toEqual([405, 'GET, HEAD', []])
  })

  it('needs the header with its method: any other OPTIONS is a wrong method, which the page can read', async () => {
    const reply = await answerOf(fallback(edge), { method: 'OPTIONS', path: HELLO, headers: { origin: PARTNER } })
    expect([reply.statusCode, reply.headers['access-control-allow-origin']]).toEqual([405, PARTNER])
  })

  it('ignores credentials', async () => {
    const checks = { bearer: () => expect.unreachable(), session: () => expect.unreachable() }
    const handler = endpoint(ROUTES.adminSecure, { ...edge, checks }, () => expect.unreachable())
    const asked = preflight('/api/admin/secure', 'GET')
    const given = { ...asked, headers: { ...asked.headers, authorization: 'Bearer x', cookie: 'JSESSIONID=x' } }
    expect((await answerOf(handler, given)).statusCode).toBe(204)
  })
})

describe('a webhook is not called by pages', () => {
  it('has no preflight and no header', async () => {
    const asked = await answerOf(fallback(edge), preflight('/webhooks/payment', 'POST'))
    expect([asked.statusCode, corsHeaders(asked)]).toEqual([405, []])
    const answer = await answerOf(fallback(edge), {
      method: 'PUT',
      path: '/webhooks/payment',
      headers: { origin: PARTNER },
    })
    expect([answer.statusCode, corsHeaders(answer)]).toEqual([405, []])
  })
})

describe('a change from a trusted origin', () => {
  const login = endpoint(ROUTES.authLogin, edge, () => ok({}))
  const post = (headers: Record<string, string>) => ({ method: 'POST', path: '/api/auth/login', headers })

  it('passes the check of the origin, although the browser marks it as cross-site', async () => {
    expect((await answerOf(login, post({ origin: PARTNER, 'sec-fetch-site': 'cross-site' }))).statusCode).toBe(200)
  })
})
