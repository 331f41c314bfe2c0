import { describe, expect, it } from 'vitest'
import type { Permits } from '../../../lib/auth/access.ts'
import { newCsrfToken } from '../../../lib/auth/csrf.ts'
import { principalOf } from '../../../lib/auth/session.ts'
import { bearerCheck, createTokens } from '../../../lib/auth/token.ts'
import { ROUTES } from '../../../lib/contract/gen/endpoints.ts'
import { fail } from '../../../lib/errors.ts'
import {
  type ChangingContext,
  endpoint,
  fallback,
  type GuardedContext,
  type LambdaHandler,
} from '../../../lib/http/endpoint.ts'
import { noContent, ok, type Reply } from '../../../lib/http/message.ts'
import type { EndpointContext } from '../../../lib/http/middleware/call.ts'
import { NO_NETWORKS } from '../../../lib/runtime/address.ts'
import { consoleLog } from '../../../lib/runtime/log.ts'
import type { Trail } from '../../../lib/trail/trail.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { type Call, httpEvent, lambdaContext } from '../../support/fakes/http.ts'
import { FIRST_KEY, SECOND_KEY } from '../../support/fakes/jwt.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { FORM_USER } from '../../support/fakes/sessions.ts'
import { recordingTrail } from '../../support/fakes/trail.ts'
import { SECURED } from '../../support/secured.ts'

const clock = fixedClock()
const tokens = createTokens({ keys: { current: [FIRST_KEY] }, lifetimeSeconds: 60, clock })
const ADMIN = { authorization: `Bearer ${await tokens.issue('alice', 'ROLE_ADMIN')}` }
const USER = { authorization: `Bearer ${await tokens.issue('bob', 'ROLE_USER')}` }

function setUp(baseUrl = 'http://localhost:3000') {
  const log = recordingLog()
  const edge: GuardedContext & ChangingContext & { trail: Trail } = {
    clock,
    log,
    baseUrl: new URL(baseUrl),
    trustedOrigins: ['https://partner.example'],
    trustedProxies: NO_NETWORKS,
    profile: 'default',
    checks: { bearer: bearerCheck(tokens) },
    findSession: async () => undefined,
    trail: recordingTrail(),
  }
  return { edge, log }
}

/** Calls a handler and reads its answer. */
async function call(handler: LambdaHandler, given: Call, context = lambdaContext()) {
  const { statusCode, headers, body = '' }: Reply = await handler(httpEvent(given), context)
  const isJson = headers['content-type'] === 'application/json'
  return { statusCode, headers, body, json: isJson ? JSON.parse(body) : undefined }
}

function adminSecure() {
  const reached: string[] = []
  const handler = endpoint(ROUTES.adminSecure, setUp().edge, ({ principal }) => {
    reached.push(principal.username)
    return ok({ user: principal.username })
  })
  return { handler, reached }
}

const ADMIN_SECURE = { method: 'GET', path: '/api/admin/secure' }

describe('GET /api/admin/secure', () => {
  it('answers 200 to an admin', async () => {
    const { statusCode, json } = await call(adminSecure().handler, { ...ADMIN_SECURE, headers: ADMIN })
    expect([statusCode, json]).toEqual([200, { user: 'alice' }])
  })

  it('answers 401 without credentials', async () => {
    const { handler, reached } = adminSecure()
    const { statusCode, headers, json } = await call(handler, ADMIN_SECURE)
    expect(statusCode).toBe(401)
    expect(headers['www-authenticate']).toBe('Bearer realm="API"')
    expect(json).toEqual({
      timestamp: START.toISOString(),
      status: 401,
      error: 'Unauthorized',
      message: 'Authentication required',
      path: '/api/admin/secure',
    })
    expect(reached).toEqual([])
  })

  it('answers 403 to a user', async () => {
    const { handler, reached } = adminSecure()
    const { statusCode, json } = await call(handler, { ...ADMIN_SECURE, headers: USER })
    expect([statusCode, json.error, json.message]).toEqual([
      403,
      'Access Denied',
      "You don't have permission to access this resource",
    ])
    expect(json.details).toEqual({
      requiredRole: 'ROLE_ADMIN',
      userRoles: ['ROLE_USER'],
      resource: '/api/admin/secure',
      action: 'GET',
    })
    expect(reached).toEqual([])
  })

  it.each([
    ['Bearer', 'MISSING'],
    ['Bearer x', 'MALFORMED'],
    [`${ADMIN.authorization}x`, 'INVALID_SIGNATURE'],
  ])('answers 401 to the token of %s: %s', async (authorization, tokenStatus) => {
    const { statusCode, headers, json } = await call(adminSecure().handler, {
      ...ADMIN_SECURE,
      headers: { authorization },
    })
    expect([statusCode, json.message, json.details.tokenStatus]).toEqual([
      401,
      'Invalid or expired JWT token',
      tokenStatus,
    ])
    expect(headers['www-authenticate']).toBe('Bearer realm="API", error="invalid_token"')
  })
})

describe('http-25 HTTP Basic', () => {
  const basic = async () => {
    throw fail('BAD_CREDENTIALS', { authType: 'Basic Authentication', reason: 'Bad credentials' })
  }
  const { edge } = setUp()
  const handler = endpoint(ROUTES.adminSecure, { ...edge, checks: { ...edge.checks, basic } }, () => ok({}))

  it.each<[string, Record<string, string>, boolean]>([
    ['a program', {}, true],
    ['who types the address', { 'sec-fetch-mode': 'navigate' }, true],
    ['the script of a page', { 'sec-fetch-mode': 'cors' }, false],
    ['the script of another page over http', { origin: 'http://shop.test' }, false],
    ['a script of a page that says so', { 'x-requested-with': 'XMLHttpRequest' }, false],
  ])('is a challenge for %s: %s', async (_, headers, isOffered) => {
    for (const authorization of [undefined, 'Basic bm9ib2R5Ondyb25n']) {
      const sent = authorization === undefined ? headers : { ...headers, authorization }
      const answer = await call(handler, { ...ADMIN_SECURE, headers: sent })
      expect([answer.statusCode, answer.headers['www-authenticate']?.includes('Basic')]).toEqual([401, isOffered])
    }
  })
})

describe('an endpoint outside of every table', () => {
  const route = { ...ROUTES.usersCreate, path: '/local/things', access: { role: 'ROLE_ADMIN' } } as const
  const handler = endpoint(route, setUp().edge, ({ principal }) => ok({ user: principal.username }))
  const given = { method: 'POST', path: '/local/things' }

  it('is guarded like all others', async () => {
    expect(await call(handler, { ...given, headers: ADMIN })).toMatchObject({
      statusCode: 200,
      json: { user: 'alice' },
    })
    expect((await call(handler, { ...given, headers: USER })).statusCode).toBe(403)
    expect((await call(handler, given)).statusCode).toBe(401)
    const headers = { origin: 'https://evil.example' }
    expect((await call(handler, { ...given, headers })).statusCode).toBe(403)
  })

  it('answers only at its own path', async () => {
    expect((await call(handler, { ...given, path: '/api/users', headers: ADMIN })).statusCode).toBe(404)
  })
})

describe('DELETE /api/users/{userId}', () => {
  const CALL = { method: 'DELETE', path: '/api/users/7' }
  const onlyAdmins: Permits = (held, { name, on }) => held.includes('ROLE_ADMIN') && name === 'DELETE' && on === 'User'

  function usersDelete(permits?: Permits) {
    const reached: unknown[] = []
    const handler = endpoint(ROUTES.usersDelete, { ...setUp().edge, ...(permits && { permits }) }, ({ parameters }) => {
      reached.push(parameters)
      return noContent()
    })
    return { handler, reached }
  }

  it('answers 204 to an admin whose role carries the permission', async () => {
    const { handler, reached } = usersDelete(onlyAdmins)
    expect((await call(handler, { ...CALL, headers: ADMIN })).statusCode).toBe(204)
    expect(reached).toEqual([{ userId: '7' }])
  })

  it.each<[string, Record<string, string>, Permits | undefined, string]>([
    ['an admin without the permission', ADMIN, () => false, "hasPermission(#userId, 'User', 'DELETE')"],
    ['every user if no table grants anything', ADMIN, undefined, "hasPermission(#userId, 'User', 'DELETE')"],
  ])('answers 403 "Method access denied" to %s', async (_, headers, permits, failedCondition) => {
    const { handler, reached } = usersDelete(permits)
    const { statusCode, json } = await call(handler, { ...CALL, headers })
    expect([statusCode, json.message, json.details.failedCondition]).toEqual([
      403,
      'Method access denied',
      failedCondition,
    ])
    expect(reached).toEqual([])
  })
})

describe('a session', () => {
  const session = { ...FORM_USER, key: 'key', createdAt: START, lastSeenAt: START }
  const findSession = async (id: string) => (id === 'live' ? session : undefined)
  const checks = {
    bearer: bearerCheck(tokens),
    session: async (id: string) => (id === 'live' ? principalOf(session, START) : undefined),
  }

  it.each([
    ['live', 200],
    ['over', 401],
  ])('that is %s: %i', async (id, status) => {
    const handler = endpoint(ROUTES.authInfo, { ...setUp().edge, checks }, ({ principal }) =>
      ok({ user: principal.username }),
    )
    const { statusCode } = await call(handler, { path: '/api/auth/info', cookies: [`JSESSIONID=${id}`] })
    expect(statusCode).toBe(status)
  })

  it.each<[string, string, Record<string, string>]>([
    ['needs its token', 'Invalid CSRF token', {}],
    ['passes its token and lacks the role', 'Method access denied', { 'x-xsrf-token': newCsrfToken('live') }],
  ])('%s: %s', async (_, message, headers) => {
    const handler = endpoint(
      ROUTES.usersDelete,
      { ...setUp().edge, checks, findSession, permits: () => true },
      noContent,
    )
    const given = { method: 'DELETE', path: '/api/users/7', headers, cookies: ['JSESSIONID=live'] }
    const { statusCode, json } = await call(handler, given)
    expect([statusCode, json.message]).toEqual([403, message])
  })
})

describe('an endpoint that a setting leaves out', () => {
  it('does not exist, for any credentials', async () => {
    const handler = endpoint(ROUTES.passkeys, { ...setUp().edge, isOff: true }, () => ok({}))
    const { statusCode, json } = await call(handler, { path: '/api/passkeys', headers: ADMIN })
    expect([statusCode, json.message]).toEqual([404, 'No endpoint found for the method and path'])
  })
})

describe('an endpoint of another profile', () => {
  it.each([
    ['jdbc', 200],
    ['jwt', 404],
  ])('does not exist: /api/jdbc/users in %s is %i', async (profile, status) => {
    const basic = async () => principalOf({ ...FORM_USER, key: '', createdAt: START, lastSeenAt: START }, START)
    const handler = endpoint(ROUTES.jdbcUsers, { ...setUp().edge, profile, checks: { basic } }, () => ok({}))
    const headers = { authorization: 'Basic YTpi' }
    expect((await call(handler, { path: '/api/jdbc/users', headers })).statusCode).toBe(status)
  })
})

describe('HEAD is GET without the content', () => {
  it.each([
    ['200', { ...ADMIN_SECURE, headers: ADMIN }, ['alice', 'alice']],
    ['401', ADMIN_SECURE, []],
    ['404 as a page', { path: '/nowhere', headers: { accept: 'text/html' } }, []],
    ['431', { ...ADMIN_SECURE, headers: { x: 'y'.repeat(20_000) } }, []],
  ])('%s, with the same checks and headers', async (status, given, users) => {
    const { handler, reached } = adminSecure()
    const get = await call(handler, given)
    const { statusCode, headers, body } = await handler(httpEvent({ ...given, method: 'HEAD' }), lambdaContext())
    expect([statusCode, headers]).toEqual([get.statusCode, get.headers])
    expect([String(statusCode), body]).toEqual([status.slice(0, 3), ''])
    expect(reached).toEqual(users)
  })

  it('leaves nothing of bytes that are sent in Base64', async () => {
    const file = endpoint(ROUTES.publicHello, setUp().edge, () => ({
      statusCode: 200,
      headers: { 'content-encoding': 'gzip' },
      body: 'H4sI',
      isBase64Encoded: true,
    }))
    const reply = await file(httpEvent({ method: 'HEAD', path: '/api/public/hello' }), lambdaContext())
    expect(reply).toMatchObject({ statusCode: 200, headers: { 'content-encoding': 'gzip' }, body: '' })
    expect(reply.isBase64Encoded).toBe(false)
  })

  it('is recorded in the audit trail like GET', async () => {
    const { edge } = setUp()
    const read = endpoint(ROUTES.webhookEventPayload, edge, () => ok({}))
    const path = '/api/webhooks/events/payment/e-1/payload'
    for (const method of ['GET', 'HEAD']) await read(httpEvent({ method, path, headers: ADMIN }), lambdaContext())
    const { rows } = edge.trail as ReturnType<typeof recordingTrail>
    expect(rows).toHaveLength(2)
    expect({ ...rows[1], id: '' }).toEqual({ ...rows[0], id: '' })
  })

  it('is 405 without a body where there is no GET', async () => {
    const handler = endpoint(ROUTES.logout, setUp().edge, () => fail('UNEXPECTED') as never)
    const { statusCode, headers, body } = await handler(httpEvent({ method: 'HEAD', path: '/logout' }), lambdaContext())
    expect([statusCode, headers['allow'], body]).toEqual([405, 'POST', ''])
  })
})

describe('a handler receives only the declared method and path', () => {
  it.each([
    ['POST', '/api/admin/secure', 405],
    ['get', '/api/admin/secure', 405],
    ['GET', '/api/admin/secure/', 404],
    ['GET', '/api/%61dmin/secure', 404],
    ['GET', '/api/public/../admin/secure', 404],
  ])('%s %s is %i, with and without the right credentials', async (method, path, status) => {
    const { handler, reached } = adminSecure()
    for (const headers of [ADMIN, {}]) expect((await call(handler, { method, path, headers })).statusCode).toBe(status)
    expect(reached).toEqual([])
  })

  it('a method-override header changes nothing', async () => {
    const { handler, reached } = adminSecure()
    const headers = { ...ADMIN, 'x-http-method-override': 'GET' }
    expect((await call(handler, { method: 'POST', path: '/api/admin/secure', headers })).statusCode).toBe(405)
    expect(reached).toEqual([])
  })
})

describe('a public endpoint', () => {
  it.each([
    ['a bad token', { authorization: 'Bearer x' }],
    ['two bad tokens', { authorization: 'Bearer x, Bearer y' }],
  ])('ignores credentials, even bad ones: %s', async (_, headers) => {
    const handler = endpoint(ROUTES.publicHello, setUp().edge, () => ok({ message: 'hello' }))
    expect(await call(handler, { path: '/api/public/hello', headers })).toMatchObject({
      statusCode: 200,
      json: { message: 'hello' },
    })
  })
})

describe('the chain', () => {
  function chain(name: 'authLogin' | 'webhookEvent') {
    const steps: string[] = []
    const { edge } = setUp()
    const checks = {
      bearer: (token: string) => {
        steps.push('credentials')
        return bearerCheck(tokens)(token)
      },
    }
    const read = () => {
      steps.push('validation')
      return 'input'
    }
    const handler = endpoint(ROUTES[name], { ...edge, checks }, read, ({ input }) => {
      steps.push(`handler with ${input}`)
      return ok({})
    })
    return { handler, steps }
  }

  const EVENT = '/api/webhooks/events/payment/e'

  it('checks credentials, access and input before the handler', async () => {
    const { handler, steps } = chain('webhookEvent')
    expect((await call(handler, { path: EVENT, headers: ADMIN })).statusCode).toBe(200)
    expect(steps).toEqual(['credentials', 'validation', 'handler with input'])
  })

  it('decides on access before it reads the input', async () => {
    const { handler, steps } = chain('webhookEvent')
    expect((await call(handler, { path: EVENT, headers: USER })).statusCode).toBe(403)
    expect((await call(handler, { path: EVENT })).statusCode).toBe(401)
    expect(steps).toEqual(['credentials'])
  })

  it('answers 403 to a POST from a foreign origin, before anything else', async () => {
    const { handler, steps } = chain('authLogin')
    const headers = { origin: 'https://evil.example' }
    const { statusCode, json } = await call(handler, { method: 'POST', path: '/api/auth/login', headers })
    expect([statusCode, json.error, json.message]).toEqual([403, 'Access Denied', 'Origin is not trusted'])
    expect(steps).toEqual([])
  })
})

describe('H40 an unexpected error of a handler', () => {
  async function thrown(error: unknown) {
    const { edge, log } = setUp()
    const handler = endpoint(ROUTES.publicHello, edge, () => {
      throw error
    })
    return { reply: await call(handler, { path: '/api/public/hello' }), log }
  }

  it.each([
    ['a bug', new TypeError('cannot read arn:aws:s3cret')],
    ['null', null],
  ])('is 500 in the error format, without stack or text: %s', async (_, error) => {
    const { reply, log } = await thrown(error)
    expect(reply.statusCode).toBe(500)
    expect(reply.json).toEqual({
      timestamp: START.toISOString(),
      status: 500,
      error: 'Internal Server Error',
      message: 'An unexpected error occurred',
      path: '/api/public/hello',
    })
    expect(log.entries).toMatchObject([{ level: 'error', fields: { code: 'UNEXPECTED', cause: error } }])
  })

  it('is logged under the id of the call, like all other lines of the call', async () => {
    const lines: string[] = []
    const log = consoleLog(
      () => START,
      (line) => lines.push(line),
    )
    const handler = endpoint(ROUTES.publicHello, { ...setUp().edge, log }, async () => {
      await Promise.resolve()
      log.info('on the way')
      throw new TypeError('a bug')
    })
    await call(handler, { path: '/api/public/hello' })
    log.info('afterwards')
    expect(lines.map((line) => JSON.parse(line)).map(({ message, requestId }) => [message, requestId])).toEqual([
      ['on the way', 'request-1'],
      ['request refused', 'request-1'],
      ['afterwards', undefined],
    ])
  })
})

describe('H34 a call that takes too long', () => {
  it('is 503 before the platform stops it', async () => {
    const handler = endpoint(ROUTES.publicHello, setUp().edge, () => new Promise<never>(() => undefined))
    const { statusCode } = await call(handler, { path: '/api/public/hello' }, lambdaContext(500))
    expect(statusCode).toBe(503)
  })
})

describe('the end of an invocation', () => {
  it.each<[string, Call, () => Promise<Reply>]>([
    ['an answer', {}, async () => noContent()],
    ['a failure', {}, () => Promise.reject(new Error('broken'))],
    ['another path', { path: '/api/nothing' }, async () => noContent()],
  ])('is concluded once, before the answer is sent: %s', async (_, changes, run) => {
    const { promise: reported, resolve } = Promise.withResolvers<void>()
    const steps: string[] = []
    const conclude = async () => {
      steps.push('begin')
      await reported
      steps.push('end')
    }
    const handler = endpoint(ROUTES.adminSecure, { ...setUp().edge, conclude }, run)
    const answer = call(handler, { ...ADMIN_SECURE, headers: ADMIN, ...changes }).then(() => steps.push('answer'))
    setImmediate(resolve)
    await answer
    expect(steps).toEqual(['begin', 'end', 'answer'])
  })
})

describe('headers over 10,240 bytes', () => {
  const hello = endpoint(ROUTES.publicHello, setUp().edge, () => ok({}))
  const sized = (bytes: number) => ({ path: '/api/public/hello', headers: { x: 'y'.repeat(bytes - 1) } })

  it('are 431, and exactly so many are not', async () => {
    expect((await call(hello, sized(10_240))).statusCode).toBe(200)
    const { statusCode, json } = await call(hello, sized(10_241))
    expect([statusCode, json.error, json.message]).toEqual([
      431,
      'Request Header Fields Too Large',
      'Request headers too large',
    ])
  })

  it('are 431 before the path is checked', async () => {
    expect((await call(fallback(setUp().edge), { ...sized(20_000), path: '/nowhere' })).statusCode).toBe(431)
  })
})

describe('the fallback', () => {
  it.each([
    ['GET', '/nowhere', 404],
    ['POST', '/', 405],
    ['PUT', '/webhooks/payment', 405],
  ])('answers %s %s with %i, without authentication', async (method, path, status) => {
    const { statusCode, json } = await call(fallback(setUp().edge), { method, path })
    expect([statusCode, json.status, json.path]).toEqual([status, status, path])
  })

  it.each([
    ['/webhooks//github', '/webhooks/github'],
    ['/webhooks/github/', '/webhooks/github'],
    ['/Webhooks/GitHub', '/webhooks/github'],
    ['/webhooks/stripe-eu%20', '/webhooks/stripe-eu'],
    ['/webhooks%2Fpayment', '/webhooks/payment'],
    ['/webhook/payment', '/webhooks/payment'],
    ['/webhooks/', undefined],
    ['/webhooks/github/events', undefined],
    ['/webhooks/__proto__', undefined],
    ['/webhookss/github', undefined],
    ['/webhooks/%zz', undefined],
  ])('W10 says to the sender of POST %s which address of webhooks is meant: %s', async (path, meant) => {
    const { statusCode, json } = await call(fallback(setUp().edge), { method: 'POST', path })
    expect([statusCode, json.message, json.details?.meant]).toEqual([
      ...[404, 'No endpoint found for the method and path', meant],
    ])
  })
})

describe('security headers', () => {
  const { edge } = setUp('https://gatehouse.example')
  const hello = endpoint(ROUTES.publicHello, edge, () => ok({}))
  const redirect = endpoint(ROUTES.publicHello, edge, () => ({ statusCode: 302, headers: { location: '/' } }))
  const admin = endpoint(ROUTES.adminSecure, edge, () => ok({}))
  it.each<[string, number, LambdaHandler, Call]>([
    ['an answer', 200, hello, { path: '/api/public/hello' }],
    ['a redirect', 302, redirect, { path: '/api/public/hello' }],
    ['a 401', 401, admin, ADMIN_SECURE],
    ['a 404', 404, fallback(edge), { path: '/nowhere' }],
    ['a 431', 431, hello, { path: '/api/public/hello', headers: { x: 'y'.repeat(20_000) } }],
  ])('are on %s', async (_, status, handler, given) => {
    const { statusCode, headers } = await call(handler, given)
    expect(statusCode).toBe(status)
    expect(headers).toMatchObject({ ...SECURED, 'strict-transport-security': expect.any(String) })
  })
})

describe('a call', () => {
  it('waits for preparations before it, including credentials', async () => {
    const ring = { current: [SECOND_KEY] }
    const check = bearerCheck(createTokens({ keys: ring, lifetimeSeconds: 60, clock }))
    const prepare = async () => {
      ring.current = [FIRST_KEY]
    }
    const handler = endpoint(ROUTES.adminSecure, { ...setUp().edge, checks: { bearer: check }, prepare }, () => ok({}))
    expect((await call(handler, { ...ADMIN_SECURE, headers: ADMIN })).statusCode).toBe(200)
  })

  it('waits for them no longer than its remaining time', async () => {
    const prepare = () => new Promise<void>(() => {})
    const handler = endpoint(ROUTES.adminSecure, { ...setUp().edge, prepare }, () => ok({}))
    const { statusCode } = await call(handler, { ...ADMIN_SECURE, headers: ADMIN }, lambdaContext(501))
    expect(statusCode).toBe(503)
  })
})

describe('a failure', () => {
  const error = fail('SIGNATURE_INVALID')
  const payment = { method: 'POST', path: '/webhooks/payment', body: '{}' }

  it.each<[string, (edge: EndpointContext) => LambdaHandler]>([
    ['a reader', (edge) => endpoint(ROUTES.webhookPayment, edge, () => Promise.reject(error), noContent)],
    ['a handler', (edge) => endpoint(ROUTES.webhookPayment, edge, () => Promise.reject(error))],
  ])('of %s is reported with its event before it is answered, with an unchanged answer', async (_, made) => {
    const told: unknown[] = []
    const refused = async (...given: unknown[]) => {
      await Promise.resolve()
      told.push(...given)
    }
    const { edge } = setUp()
    const answered = await call(made({ ...edge, refused }), payment)
    expect(answered).toEqual(await call(made(edge), payment))
    expect(told).toEqual([error, expect.objectContaining({ rawPath: '/webhooks/payment', body: '{}' })])
  })

  it('is reported only within the remaining time, and leaves a line in the log otherwise', async () => {
    const { edge, log } = setUp()
    const refused = () => new Promise<void>(() => {})
    const handler = endpoint(ROUTES.webhookPayment, { ...edge, refused }, () => Promise.reject(error))
    expect((await call(handler, payment, lambdaContext(501))).statusCode).toBe(401)
    expect(log.of('no time to count a refusal')).toHaveLength(1)
  })

  it('is the only reported case: no success, no other path, no other method', async () => {
    const { edge } = setUp()
    const refused = () => expect.unreachable()
    const handler = endpoint(ROUTES.webhookPayment, { ...edge, refused }, () => ok({}))
    const statuses = [payment, { ...payment, path: '/elsewhere' }, { ...payment, method: 'GET' }].map(
      async (given) => (await call(handler, given)).statusCode,
    )
    expect(await Promise.all(statuses)).toEqual([200, 404, 405])
  })
})
