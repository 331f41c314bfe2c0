import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import type { Principal } from '../../../../lib/auth/principal.ts'
import { ROUTES } from '../../../../lib/contract/gen/endpoints.ts'
import { fail } from '../../../../lib/errors.ts'
import { authenticate } from '../../../../lib/http/middleware/authenticate.ts'
import { authorize } from '../../../../lib/http/middleware/authorize.ts'
import type { EndpointContext, Middleware } from '../../../../lib/http/middleware/call.ts'
import { errors } from '../../../../lib/http/middleware/errors.ts'
import { parse } from '../../../../lib/http/middleware/parse.ts'
import { onlyRoute } from '../../../../lib/http/middleware/route.ts'
import { securityHeaders } from '../../../../lib/http/middleware/security-headers.ts'
import { validate } from '../../../../lib/http/middleware/validate.ts'
import { NO_NETWORKS } from '../../../../lib/runtime/address.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'
import { type Call, callOf, httpEvent } from '../../../support/fakes/http.ts'
import { recordingLog } from '../../../support/fakes/log.ts'

const app: EndpointContext = {
  clock: fixedClock(),
  log: recordingLog(),
  baseUrl: new URL('https://gatehouse.example'),
  trustedOrigins: ['https://partner.example'],
  trustedProxies: NO_NETWORKS,
  profile: 'default',
}
const admin: Principal = { username: 'a', roles: ['ROLE_ADMIN'], authType: 'JWT', principalType: 'JwtUser' }
const ago = (seconds: number) => new Date(START.getTime() - seconds * 1000)
const SESSION = { method: 'DELETE', path: '/api/users/7' }

/** Runs the first hook of a link, and returns the call with what came of it. */
async function passed(link: Middleware, given: Call, findings = {}) {
  const call = callOf(httpEvent(given), findings)
  const answer = await link.before?.(call)
  return { ...call, answer }
}

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    ({ code }) => code,
  )
}

describe('onlyRoute', () => {
  const link = onlyRoute(ROUTES.usersDelete, app)

  it('leaves the parameters of the path on the context', async () => {
    const { answer, context } = await passed(link, SESSION)
    expect([answer, context.parameters]).toEqual([undefined, { userId: '7' }])
  })

  it.each<[string, Call]>([
    ['ENDPOINT_NOT_FOUND', { ...SESSION, path: '/api/elsewhere' }],
    ['METHOD_NOT_SUPPORTED', { ...SESSION, method: 'POST' }],
    ['HEADERS_TOO_LARGE', { ...SESSION, headers: { a: 'b'.repeat(10_240) } }],
  ])('refuses with %s', async (code, given) => expect(await codeOf(passed(link, given))).toBe(code))

  it('answers the preflight of a trusted page at once, with the headers of every answer', async () => {
    const headers = { origin: 'https://partner.example', 'access-control-request-method': 'DELETE' }
    const { answer } = await passed(link, { ...SESSION, method: 'OPTIONS', headers })
    expect(answer).toMatchObject({ statusCode: 204, headers: { 'x-content-type-options': 'nosniff' } })
  })
})

describe('authenticate', () => {
  it.each([
    ['at once', () => admin],
    ['later', async () => admin],
  ])('leaves the owner of a token that is checked %s on the context', async (_, bearer) => {
    const link = authenticate(ROUTES.userSecure, { ...app, checks: { bearer } })
    const { context } = await passed(link, { headers: { authorization: 'Bearer t' } })
    expect(context.principal).toBe(admin)
  })

  it.each([
    ['without credentials', {}],
    ['with a session that is over', { cookies: ['JSESSIONID=over'] }],
  ])('refuses a call %s', async (_, call) => {
    const link = authenticate(ROUTES.userSecure, { ...app, checks: { session: async () => undefined } })
    expect(await codeOf(passed(link, call))).toBe('AUTHENTICATION_REQUIRED')
  })
})

it.each([
  ['an endpoint of operators takes no Basic', ROUTES.payments, false, 'SCHEME_NOT_ACCEPTED'],
  ['any other takes Basic', ROUTES.userSecure, false, undefined],
  ['an endpoint of operators takes Basic', ROUTES.payments, true, undefined],
])('%s where the setting is %s', async (_title, route, isBasicForOperators, code) => {
  const headers = { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` }
  const accepting = { ...app, isBasicForOperators, checks: { basic: async () => admin } }
  expect(await codeOf(passed(authenticate(route, accepting), { headers }))).toBe(code)
})

it.each([
  ['nobody', undefined, 'AUTHENTICATION_REQUIRED'],
  ['a user', { ...admin, roles: ['ROLE_USER'] }, 'ROLE_REQUIRED'],
  ['an admin', admin, undefined],
])('authorize: %s', async (_, principal, code) => {
  expect(await codeOf(passed(authorize(ROUTES.adminSecure, app), {}, { principal }))).toBe(code)
})

it.each<[string, Partial<Principal>, string | undefined]>([
  ['a session of the last five minutes', { loggedInAt: ago(300) }, undefined],
  ['an older session', { loggedInAt: ago(300.001) }, 'LOGIN_TOO_OLD'],
  ['a token of the last five minutes', { tokenIssuedAt: ago(300) }, undefined],
  ['an older token', { tokenIssuedAt: ago(301) }, 'LOGIN_TOO_OLD'],
  ['a login of no known time', {}, 'LOGIN_TOO_OLD'],
  ['an older session without the role', { roles: ['ROLE_USER'], loggedInAt: ago(301) }, 'ROLE_REQUIRED'],
])('a key is made with %s: %s', async (_, changes, code) => {
  const principal = { ...admin, ...changes }
  expect(await codeOf(passed(authorize(ROUTES.keysCreate, app), {}, { principal }))).toBe(code)
})

describe('parse and validate', () => {
  it('puts the value of a JSON body in the place of its text', async () => {
    const headers = { 'content-type': 'application/json' }
    const { event } = await passed(parse(), { method: 'POST', headers, body: Buffer.from('{"a":"é"}') })
    expect([event.body, event.isBase64Encoded]).toEqual([{ a: 'é' }, false])
  })

  it.each([
    ['at once', () => 7],
    ['later', async () => 7],
  ])('leaves what is read %s on the context', async (_, read) => {
    expect((await passed(validate<number>(read), {})).context.input).toBe(7)
  })
})

describe('errors and securityHeaders', () => {
  async function answerTo(error: Error, findings = {}, route: keyof typeof ROUTES = 'webhookPayment') {
    const call = Object.assign(callOf(httpEvent({ path: ROUTES[route].path }), findings), { error })
    for (const link of [errors(ROUTES[route], app), securityHeaders(app)]) await link.onError?.(call)
    return call.response
  }

  it('answer in the format of the route, and of the API where no route was called', async () => {
    const refused = fail('SIGNATURE_INVALID')
    expect(JSON.parse((await answerTo(refused, { parameters: {} }))?.body ?? '')).toMatchObject({ success: false })
    expect(JSON.parse((await answerTo(refused))?.body ?? '')).toMatchObject({ status: 401 })
  })

  it('hide what nobody foresaw, and add the constant headers', async () => {
    const answer = await answerTo(new Error('secret'), { parameters: {} }, 'userSecure')
    expect(answer).toMatchObject({ statusCode: 500, headers: { 'x-frame-options': 'DENY' } })
    expect(answer?.body).not.toContain('secret')
  })
})
