import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isInProfile } from '../../../lib/auth/profile.ts'
import { ROUTES } from '../../../lib/endpoints/index.ts'
import type { ErrorFormat, Route } from '../../../lib/endpoints/route.ts'
import { errorFormat, matchPath, matchRoute, noEndpoint, providerIn } from '../../../lib/http/routing.ts'

const EVENT = ROUTES.webhookEvent.path

describe('a path without parameters', () => {
  const declared = ROUTES.adminSecure.path

  it('matches exactly', () => {
    expect(matchPath(declared, '/api/admin/secure')).toEqual({})
  })

  it.each([
    '/api/admin/secure/',
    '//api/admin/secure',
    '/api//admin/secure',
    '/API/Admin/Secure',
    '/api/admin/SECURE',
    '/api/admin/secure;x=1',
    '/api/admin/secure%0a',
    '/api/admin/secure%00',
    '/api/admin/secure ',
    '/api/%61dmin/secure',
    '/api%2Fadmin/secure',
    '/api/./admin/secure',
    '/api/public/../admin/secure',
    '/api/public/%2e%2e/admin/secure',
    '/api/admin',
    '/api/admin/secure/more',
    'api/admin/secure',
    '/',
    '',
  ])('does not match %s', (rawPath) => {
    expect(matchPath(declared, rawPath)).toBeUndefined()
  })
})

describe('a path with parameters', () => {
  it.each([
    ['/api/webhooks/events/payment/e-1', { source: 'payment', eventId: 'e-1' }],
    ['/api/webhooks/events/payment/a%2Fb', { source: 'payment', eventId: 'a/b' }],
    ['/api/webhooks/events/payment/a%252Fb', { source: 'payment', eventId: 'a%2Fb' }],
    ['/api/webhooks/events/payment/%C3%A9+%20', { source: 'payment', eventId: 'é+ ' }],
    ['/api/webhooks/events/p%61yment/e', { source: 'payment', eventId: 'e' }],
    ['/api/webhooks/events/payment/..', { source: 'payment', eventId: '..' }],
    ['/api/webhooks/events/payment/__proto__', { source: 'payment', eventId: '__proto__' }],
  ])('binds one segment each, percent-decoded once: %s', (rawPath, parameters) => {
    expect(matchPath(EVENT, rawPath)).toEqual(parameters)
  })

  it.each([
    ['an encoded slash in another parameter', '/api/webhooks/events/a%2Fb/e'],
    ['an encoded slash in another parameter, in lower case', '/api/webhooks/events/a%2fb/e'],
    ['two segments instead of one', '/api/webhooks/events/payment/a/b'],
    ['an empty segment', '/api/webhooks/events/payment/'],
    ['an empty segment before the last', '/api/webhooks/events//e'],
    ['no percent-encoding', '/api/webhooks/events/payment/%zz'],
    ['half of a percent-encoding', '/api/webhooks/events/payment/%4'],
    ['bytes that are not UTF-8', '/api/webhooks/events/payment/%ff'],
  ])('does not match %s', (_, rawPath) => {
    expect(matchPath(EVENT, rawPath)).toBeUndefined()
  })

  it('binds every percent-encoded event id', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (eventId) => {
        const rawPath = `/api/webhooks/events/payment/${encodeURIComponent(eventId)}`
        expect(matchPath(EVENT, rawPath)).toEqual({ source: 'payment', eventId })
      }),
    )
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (source, eventId) => {
        const binding = matchPath(EVENT, `/api/webhooks/events/${source}/${eventId}`)
        expect(Object.keys(binding ?? {})).toHaveLength(binding ? 2 : 0)
      }),
    )
  })
})

describe('paths without an endpoint', () => {
  it.each([
    '',
    '//',
    '/api',
    '/nowhere',
    '/login/',
    '/logout/x',
    '/api/admin/secure/',
    '/api/webhooks/events/payment/%zz',
  ])('%s is 404', (rawPath) => {
    expect(noEndpoint('GET', rawPath, 'default')).toMatchObject({ code: 'ENDPOINT_NOT_FOUND', status: 404 })
  })

  it.each([
    ['GET', '/api/public/hello'],
    ['POST', '/api/webhooks/events/demo/7/retry'],
  ])('is 404 for %s %s if the gateway did not match the path as it was written', (method, rawPath) => {
    expect(noEndpoint(method, rawPath, 'default').code).toBe('ENDPOINT_NOT_FOUND')
  })

  it.each([
    ['POST', '/api/admin/secure', ['GET', 'HEAD']],
    ['head', '/api/public/hello', ['GET', 'HEAD']],
    ['OPTIONS', '/api/auth/login', ['POST']],
    ['HEAD', '/api/auth/login', ['POST']],
    ['TRACE', '/webhooks/stripe', ['HEAD', 'POST']],
    ['POST', '/', ['GET', 'HEAD']],
    ['PUT', '/login', ['GET', 'HEAD', 'POST']],
    ['GET', '/logout', ['POST']],
    ['DELETE', '/api/users', ['GET', 'HEAD', 'POST']],
    ['PUT', '/api/users/7', ['DELETE', 'GET', 'HEAD', 'PATCH']],
    ['PATCH', '/api/users/7/sessions', ['DELETE', 'GET', 'HEAD']],
    ['get', '/api/admin/secure', ['GET', 'HEAD']],
    ['DELETE', '/api/webhooks/events/payment/e', ['GET', 'HEAD']],
    ['HEAD', '/oauth2/authorization/google', ['GET']],
    ['HEAD', '/login/oauth2/code/google', ['GET']],
  ])(
    '%s %s is 405 with the declared methods, and HEAD wherever a GET changes nothing',
    (requestMethod, rawPath, supportedMethods) => {
      expect(noEndpoint(requestMethod, rawPath, 'default')).toMatchObject({
        code: 'METHOD_NOT_SUPPORTED',
        details: { requestMethod, supportedMethods },
      })
    },
  )
})

describe('the endpoints of another profile answer 404', () => {
  it.each([
    ['/api/jdbc/users', 'jdbc'],
    ['/api/ldap/users', 'ldap'],
    ['/api/oauth2/profile', 'oauth2'],
    ['/oauth2/authorization/google', 'oauth2'],
    ['/login/oauth2/code/google', 'oauth2'],
  ])('%s belongs to %s, and default has everything', (rawPath, own) => {
    for (const profile of ['default', 'jwt', 'jdbc', 'ldap', 'oauth2']) {
      const code = profile === own || profile === 'default' ? 'METHOD_NOT_SUPPORTED' : 'ENDPOINT_NOT_FOUND'
      expect([profile, noEndpoint('PUT', rawPath, profile).code]).toEqual([profile, code])
    }
  })

  it.each(['default', 'jwt', 'jdbc', 'ldap', 'oauth2'])('an endpoint for all profiles is in %s', (profile) => {
    const all = Object.values<Route>(ROUTES).filter((route) => route.profile === undefined)
    expect(all.every((route) => isInProfile(route, profile))).toBe(true)
  })
})

describe('a path with the name of a provider', () => {
  const { webhookProvider } = ROUTES
  const asksByGet = (source: string) => source === 'meta-eu'

  it.each([
    ['/webhooks/slack', 'slack'],
    ['/webhooks/Slack', 'slack'],
    ['/webhooks/PAYMENT', 'payment'],
    ['/webhooks/%53lack', 'slack'],
    ['/webhooks/constructor', 'constructor'],
    ['/webhooks/7.a_b-c', '7.a_b-c'],
    [`/webhooks/${'a'.repeat(64)}`, 'a'.repeat(64)],
  ])('%s names %s', (rawPath, name) => {
    expect(matchRoute(webhookProvider, rawPath)).toBeDefined()
    expect(providerIn(webhookProvider, rawPath)).toBe(name)
  })

  it.each([
    '/webhooks/',
    '/webhooks/__proto__',
    '/webhooks/.',
    '/webhooks/..',
    '/webhooks/-a',
    '/webhooks/a b',
    '/webhooks/a%20b',
    '/webhooks/a%00',
    '/webhooks/a%0a',
    '/webhooks/a%2Fb',
    '/webhooks/a%252Fb',
    '/webhooks/é',
    '/webhooks/%E2%84%AA',
    '/webhooks/meta.verify',
    '/webhooks/META.Verify',
    '/webhooks/slack/',
    '/webhooks/slack/x',
    '/Webhooks/slack',
    `/webhooks/${'a'.repeat(65)}`,
  ])('W26 %s names none, and is 404', (rawPath) => {
    expect(matchRoute(webhookProvider, rawPath)).toBeUndefined()
    expect(noEndpoint('POST', rawPath, 'default').code).toBe('ENDPOINT_NOT_FOUND')
  })

  it.each([
    ['GET', '/webhooks/payment', ['HEAD', 'POST']],
    ['GET', '/webhooks/Stripe', ['HEAD', 'POST']],
    ['GET', '/webhooks/meta', ['HEAD', 'POST']],
    ['PUT', '/webhooks/slack', ['HEAD', 'POST']],
    ['DELETE', '/webhooks/META-eu', ['GET', 'HEAD', 'POST']],
  ])('%s %s is 405 with the methods of that source, each once', (method, rawPath, supportedMethods) => {
    expect(noEndpoint(method, rawPath, 'default', asksByGet)).toMatchObject({ details: { supportedMethods } })
  })

  it.each<[string, ErrorFormat]>([
    ['/webhooks/PAYMENT', 'webhook'],
    ['/webhooks/Order-Status', 'webhook'],
    ['/webhooks/Stripe', 'text'],
    ['/webhooks/GITHUB', 'text'],
    ['/webhooks/slack', 'text'],
    ['/webhooks/constructor', 'text'],
  ])('%s refuses like the endpoint of that name: %s', (rawPath, format) => {
    expect(errorFormat(webhookProvider, rawPath)).toBe(format)
  })

  it('is not a path of the API', () => {
    expect(errorFormat(ROUTES.webhookEvent, '/api/webhooks/events/payment/e')).toBe('api')
  })
})
