import { describe, expect, it } from 'vitest'
import { errorPage } from '../../../lib/app/error-page.ts'
import { ROUTES } from '../../../lib/contract/gen/endpoints.ts'
import { fail, unavailable } from '../../../lib/errors.ts'
import { endpoint, fallback } from '../../../lib/http/endpoint.ts'
import type { EndpointContext } from '../../../lib/http/middleware/call.ts'
import { NO_NETWORKS } from '../../../lib/runtime/address.ts'
import { fixedClock } from '../../support/fakes/clock.ts'
import { type Call, httpEvent, lambdaContext } from '../../support/fakes/http.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { SITE } from '../../support/fakes/pages.ts'
import { SECURED } from '../../support/secured.ts'

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8'
const MANIFEST = JSON.stringify(SITE.manifest)

function edgeWith(changes: Partial<EndpointContext> = {}) {
  const log = recordingLog()
  const edge: EndpointContext = {
    clock: fixedClock(),
    log,
    baseUrl: new URL('https://gatehouse.example'),
    trustedOrigins: [],
    trustedProxies: NO_NETWORKS,
    profile: 'default',
    errorPage: async (error, event, baseUrl) => errorPage(error, event, baseUrl, MANIFEST),
    ...changes,
  }
  return { edge, log }
}

type Thrower = () => Promise<never>
const hello =
  (thrown: unknown): Thrower =>
  () =>
    Promise.reject(thrown)

async function answer(edge: EndpointContext, given: Call, thrown?: unknown) {
  const handler = thrown === undefined ? fallback(edge) : endpoint(ROUTES.publicHello, edge, hello(thrown))
  const path = thrown === undefined ? '/nowhere' : '/api/public/hello'
  return handler(httpEvent({ path, ...given }), lambdaContext())
}

const FAILURES: readonly (readonly [what: string, status: number, given: Call, thrown: unknown])[] = [
  ['an unknown path', 404, {}, undefined],
  ['a wrong method', 405, { path: '/api/auth/login' }, undefined],
  ['a bug', 500, {}, new TypeError('a bug')],
  ['an outage of the store', 503, {}, unavailable(new Error('connect ECONNREFUSED'))],
]

describe('a browser that receives', () => {
  it.each(FAILURES)('%s (%i) gets a page with the same status and headers', async (_, status, given, thrown) => {
    const { edge } = edgeWith()
    const json = await answer(edge, given, thrown)
    const page = await answer(edge, { ...given, headers: { accept: HTML } }, thrown)
    expect([json.statusCode, page.statusCode]).toEqual([status, status])
    expect(page.headers).toEqual({
      ...json.headers,
      ...SECURED,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'/),
    })
    expect(page.body).toMatch(/^<!doctype html>/)
    expect(page.body).not.toMatch(/<script|a bug|ECONNREFUSED/)
    expect(JSON.parse(json.body ?? '')).toMatchObject({ status })
  })
})

describe('an address that means a page', () => {
  const redirected = async (path: string, given: Call = {}) => {
    const { statusCode, headers } = await answer(edgeWith().edge, { path, headers: { accept: HTML }, ...given })
    return [statusCode, headers['location']]
  }

  it.each([
    ['/docs/', '/docs'],
    ['/login/', '/login'],
    ['/console/account/', '/console/account'],
    ['/console', '/console/webhooks'],
    ['/console/', '/console/webhooks'],
    ['/favicon.ico', '/assets/icon-1.svg'],
  ])('%s redirects a browser to %s', async (path, location) => {
    expect(await redirected(path)).toEqual([302, location])
  })

  it('keeps its query', async () => {
    expect(await redirected('/docs/', { rawQueryString: 'a=1' })).toEqual([302, '/docs?a=1'])
  })

  it('the icon is found by whatever asks for an image', async () => {
    expect((await redirected('/favicon.ico', { headers: { accept: 'image/*,*/*;q=0.8' } }))[0]).toBe(302)
  })

  it.each(['//evil.example/', '/docs//', '/console//', '/console/a/b/', '/api/public/hello/', '/console/..%2f/'])(
    '%s means none',
    async (path) => {
      expect(await redirected(path)).toEqual([404, undefined])
    },
  )

  it('is refused for a program, and for a change', async () => {
    expect(await redirected('/docs/', { headers: {} })).toEqual([404, undefined])
    expect(await redirected('/docs/', { method: 'POST' })).toEqual([404, undefined])
  })
})

describe('the error format is for', () => {
  it.each([undefined, 'text/html, application/json'])('a client that accepts %s', async (accept) => {
    for (const [, status, given, thrown] of FAILURES) {
      const { edge } = edgeWith()
      const { headers, body = '' } = await answer(edge, { ...given, headers: accept ? { accept } : {} }, thrown)
      expect(headers['content-type']).toBe('application/json')
      expect(JSON.parse(body).status).toBe(status)
    }
  })

  it.each([
    [403, fail('ORIGIN_NOT_TRUSTED', { origin: null, setting: 'TRUSTED_ORIGINS' })],
    [429, fail('TOO_MANY_REQUESTS', { retryAfterSeconds: 1 })],
  ])('every %i, for every client', async (status, thrown) => {
    const { statusCode, headers } = await answer(edgeWith().edge, { headers: { accept: HTML } }, thrown)
    expect([statusCode, headers['content-type']]).toEqual([status, 'application/json'])
  })

  it('a page that cannot be built, which leaves a line in the log', async () => {
    const { edge, log } = edgeWith({ errorPage: () => Promise.reject(new Error('no such chunk')) })
    const { statusCode, headers } = await answer(edge, { headers: { accept: HTML } })
    expect([statusCode, headers['content-type']]).toEqual([404, 'application/json'])
    expect(log.of('no page for a failure')).toHaveLength(1)
  })

  it('webhooks have their own formats, for any Accept header', async () => {
    const payment = endpoint(ROUTES.webhookPayment, edgeWith().edge, hello(fail('UNAVAILABLE')))
    const stripe = endpoint(ROUTES.webhookStripe, edgeWith().edge, hello(fail('UNAVAILABLE')))
    const post = (path: string) => httpEvent({ method: 'POST', path, headers: { accept: HTML } })
    expect((await payment(post('/webhooks/payment'), lambdaContext())).body).toContain('"success":false')
    expect((await stripe(post('/webhooks/stripe'), lambdaContext())).headers['content-type']).toContain('text/plain')
  })
})
