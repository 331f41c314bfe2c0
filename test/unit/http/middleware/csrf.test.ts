import { describe, expect, it } from 'vitest'
import { newCsrfToken } from '../../../../lib/auth/csrf.ts'
import type { Principal } from '../../../../lib/auth/principal.ts'
import { sessionKey } from '../../../../lib/auth/session.ts'
import { type EndpointName, ROUTES } from '../../../../lib/contract/gen/endpoints.ts'
import { ServiceError } from '../../../../lib/errors.ts'
import type { Checks } from '../../../../lib/http/middleware/authenticate.ts'
import { csrf, type FindSession, refuseForcedLogin } from '../../../../lib/http/middleware/csrf.ts'
import { START } from '../../../support/fakes/clock.ts'
import { type Call, callOf, httpEvent } from '../../../support/fakes/http.ts'
import { FORM_USER } from '../../../support/fakes/sessions.ts'

const LIVE = 'JSESSIONID=live'
const RIGHT = newCsrfToken('live')
const WRONG = newCsrfToken('another')
const BEFORE_LOGIN = newCsrfToken('')
const BEARER = { authorization: 'Bearer t' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

const key = sessionKey('live')
const findSession: FindSession = async (id) =>
  id === 'live' ? { ...FORM_USER, key, createdAt: START, lastSeenAt: START } : undefined

const principal: Principal = { username: 'a', roles: [], authType: 'JWT', principalType: 'JwtUser' }
const ALL: Checks = { bearer: () => principal, basic: async () => principal, session: async () => principal }

async function outcome(name: EndpointName, call: Call, checks?: Checks): Promise<string> {
  const { method, path } = ROUTES[name]
  const parts = {
    baseUrl: new URL('https://gatehouse.example'),
    trustedOrigins: ['https://partner.example'],
    findSession,
    ...(checks && { checks }),
  }
  try {
    const event = httpEvent({ method, path, ...call })
    await csrf(ROUTES[name], parts).before?.(callOf(event))
    return 'passes'
  } catch (error) {
    return (error as { code: string }).code
  }
}

const FOREIGN = 'ORIGIN_NOT_TRUSTED'
const MISSING = 'CSRF_TOKEN_MISSING'
const WRONG_TOKEN = 'CSRF_TOKEN_WRONG'

describe('safe methods and /webhooks/** pass', () => {
  it('GET passes from anywhere, with a live session and no token', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    expect(await outcome('home', { method: 'GET', headers, cookies: [LIVE] })).toBe('passes')
  })

  it.each(['webhookPayment', 'webhookStripe'] as const)('%s from anywhere', async (name) => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    expect(await outcome(name, { headers, cookies: [LIVE] })).toBe('passes')
  })
})

describe('S02 any other comes from a page of this service, a trusted one, or no browser', () => {
  it.each<[string, Record<string, string>]>([
    ['passes', {}],
    ['passes', { 'sec-fetch-site': 'same-origin' }],
    ['passes', { 'sec-fetch-site': 'cross-site', origin: 'https://partner.example' }],
    [FOREIGN, { 'sec-fetch-site': 'cross-site' }],
    [FOREIGN, { origin: 'https://evil.example', referer: 'https://gatehouse.example/' }],
  ])('%s with %j', async (expected, headers) => {
    for (const name of ['loginForm', 'usersDelete'] as const) {
      expect([name, await outcome(name, { headers }, ALL)]).toEqual([name, expected])
    }
  })

  const origin = 'https://evil.example'

  it.each<[string, EndpointName, Call]>([
    ['the right token does not', 'usersCreate', { headers: { origin, 'x-xsrf-token': RIGHT }, cookies: [LIVE] }],
    ['a bearer token beside a session does not', 'usersCreate', { headers: { origin, ...BEARER }, cookies: [LIVE] }],
    ['nor beside one that is over', 'usersCreate', { headers: { origin, ...BEARER }, cookies: ['JSESSIONID=over'] }],
    ['a bearer token at a login does not', 'loginForm', { headers: { origin, ...BEARER } }],
    [
      'Basic, which browsers send by themselves, does not',
      'usersCreate',
      { headers: { origin, authorization: 'Basic YTpi' } },
    ],
  ])('S12 what replaces the origin: %s', async (_, name, call) => {
    expect(await outcome(name, call, name === 'loginForm' ? undefined : ALL)).toBe(FOREIGN)
  })

  it('S12 a bearer token without a session does: no browser adds it by itself', async () => {
    expect(await outcome('usersCreate', { headers: { origin, ...BEARER } }, ALL)).toBe('passes')
  })

  it('is told which origin, and what would trust it', async () => {
    const event = httpEvent({ method: 'POST', path: '/login', headers: { origin: `https://${'x'.repeat(300)}` } })
    const parts = { baseUrl: new URL('https://gatehouse.example'), trustedOrigins: [] }
    const details = { origin: `https://${'x'.repeat(248)}`, setting: 'TRUSTED_ORIGINS' }
    expect(() => csrf(ROUTES.loginForm, parts).before?.(callOf(event))).toThrow(expect.objectContaining({ details }))
  })
})

describe('S02 a JSESSIONID of a live session needs the token', () => {
  it.each<[string, string, Call]>([
    ['no token', MISSING, {}],
    ['the token of another session', WRONG_TOKEN, { headers: { 'x-xsrf-token': WRONG } }],
    ['a token from before the login', WRONG_TOKEN, { headers: { 'x-xsrf-token': BEFORE_LOGIN } }],
    ['the right token only in the cookie', MISSING, { cookies: [LIVE, `XSRF-TOKEN=${RIGHT}`] }],
    ['the right token only in the query', MISSING, { rawQueryString: `_csrf=${RIGHT}` }],
    ['the right token in the header', 'passes', { headers: { 'x-xsrf-token': RIGHT } }],
    ['the right token in _csrf', 'passes', { headers: FORM, body: `_csrf=${RIGHT}` }],
    ['two tokens in _csrf', 'VALIDATION_FAILED', { headers: FORM, body: `_csrf=${RIGHT}&_csrf=${RIGHT}` }],
    ['_csrf in JSON', MISSING, { headers: { 'content-type': 'application/json' }, body: `{"_csrf":"${RIGHT}"}` }],
    [
      'a wrong token in the header and the right one in _csrf',
      WRONG_TOKEN,
      { headers: { ...FORM, 'x-xsrf-token': WRONG }, body: `_csrf=${RIGHT}` },
    ],
  ])('with %s it %s', async (_, expected, call) => {
    for (const name of ['logout', 'usersCreate'] as const) {
      expect([name, await outcome(name, { cookies: [LIVE], ...call }, ALL)]).toEqual([name, expected])
    }
  })

  it.each(['JSESSIONID=over', 'JSESSIONID='])('any other is ignored: %s', async (cookie) => {
    expect(await outcome('logout', { cookies: [cookie] })).toBe('passes')
  })
})

describe('a bearer call needs no token and its session is ignored', () => {
  it('if bearer tokens are accepted', async () => {
    expect(await outcome('usersCreate', { headers: BEARER, cookies: [LIVE] }, ALL)).toBe('passes')
  })

  it.each<[string, EndpointName, string, Checks | undefined]>([
    ['a profile without bearer tokens', 'usersCreate', 'Bearer t', { ...ALL, bearer: undefined }],
    ['the login form', 'loginForm', 'Bearer t', undefined],
    ['an unknown scheme', 'usersCreate', 'Dummy t', ALL],
    ['HTTP Basic, which browsers send automatically', 'usersCreate', 'Basic YTpi', ALL],
  ])('S07 but not with %s', async (_, name, authorization, checks) => {
    expect(await outcome(name, { headers: { authorization }, cookies: [LIVE] }, checks)).toBe(MISSING)
  })
})

it('without a guard of sessions there is no session to protect', () => {
  const event = httpEvent({ method: 'POST', path: '/api/auth/login', cookies: [LIVE] })
  const link = csrf(ROUTES.authLogin, { baseUrl: new URL('http://a.example'), trustedOrigins: [] })
  expect(link.before?.(callOf(event))).toBeUndefined()
})

describe('O20 the start of a login', () => {
  const outcomeOf = (headers: Readonly<Record<string, string>>) => {
    try {
      refuseForcedLogin(httpEvent({ headers }))
      return 'goes on'
    } catch (error) {
      return error instanceof ServiceError ? error.code : 'a bug'
    }
  }

  it.each([
    ['an image', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }],
    ['a script that navigates there', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
    ['a navigation that only resembles a click', { 'sec-fetch-site': 'cross-site', 'sec-fetch-user': '?0' }],
  ])('is refused to %s of another site', (_, headers) => expect(outcomeOf(headers)).toBe('CROSS_SITE_LOGIN'))

  it.each([
    ['a link of another site that a user follows', { 'sec-fetch-site': 'cross-site', 'sec-fetch-user': '?1' }],
    ['a script of this service', { 'sec-fetch-site': 'same-origin' }],
    ['a browser without Fetch Metadata, or no browser', {}],
  ])('is accepted for %s', (_, headers) => expect(outcomeOf(headers)).toBe('goes on'))
})
