import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../../lib/contract/gen/endpoints.ts'
import type { ErrorFormat } from '../../../lib/contract/route.ts'
import type { HttpEvent } from '../../../lib/http/message.ts'
import { errorFormat, matchPath, matchRoute, noEndpoint, providerIn, sentPath } from '../../../lib/http/routing.ts'

const EVENT = ROUTES.webhookEvent.path

describe('a path without parameters', () => {
  const declared = ROUTES.adminSecure.path

  it.each([
    '/api/admin/secure/',
    '/API/Admin/Secure',
    '/api/admin/secure;x=1',
    '/api/admin/secure%00',
    '/api/%61dmin/secure',
    '/api/public/../admin/secure',
    '/api/admin/secure/more',
  ])('does not match %s', (rawPath) => {
    expect(matchPath(declared, rawPath)).toBeUndefined()
  })
})

describe('a path with parameters', () => {
  it.each([
    ['/api/webhooks/events/payment/a%2Fb', { source: 'payment', eventId: 'a/b' }],
    ['/api/webhooks/events/payment/a%252Fb', { source: 'payment', eventId: 'a%2Fb' }],
    ['/api/webhooks/events/payment/%C3%A9+%20', { source: 'payment', eventId: 'é+ ' }],
    ['/api/webhooks/events/payment/__proto__', { source: 'payment', eventId: '__proto__' }],
  ])('binds one segment each, percent-decoded once: %s', (rawPath, parameters) => {
    expect(matchPath(EVENT, rawPath)).toEqual(parameters)
  })

  it.each([
    ['an encoded slash in another parameter', '/api/webhooks/events/a%2Fb/e'],
    ['two segments instead of one', '/api/webhooks/events/payment/a/b'],
    ['an empty segment before the last', '/api/webhooks/events//e'],
    ['no percent-encoding', '/api/webhooks/events/payment/%zz'],
    ['bytes that are not UTF-8', '/api/webhooks/events/payment/%ff'],
  ])('H26 does not match %s', (_, rawPath) => {
    expect(matchPath(EVENT, rawPath)).toBeUndefined()
  })
})

describe('paths without an endpoint', () => {
  it.each(['', '//', '/nowhere', '/api/admin/secure/'])('%s is 404', (rawPath) => {
    expect(noEndpoint('GET', rawPath, 'default')).toMatchObject({ code: 'ENDPOINT_NOT_FOUND', status: 404 })
  })

  it.each([
    ['GET', '/api/public/hello'],
    ['POST', '/api/webhooks/events/demo/7/retry'],
  ])('is 404 for %s %s if the gateway did not match the path as it was written', (method, rawPath) => {
    expect(noEndpoint(method, rawPath, 'default').code).toBe('ENDPOINT_NOT_FOUND')
  })

  it.each([
    ['head', '/api/public/hello', ['GET', 'HEAD']],
    ['HEAD', '/api/auth/login', ['POST']],
    ['TRACE', '/webhooks/stripe', ['HEAD', 'POST']],
    ['PUT', '/login', ['GET', 'HEAD', 'POST']],
    ['PUT', '/api/users/7', ['DELETE', 'GET', 'HEAD', 'PATCH']],
    ['HEAD', '/oauth2/authorization/google', ['GET']],
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
    ['/api/oauth2/profile', 'oauth2'],
  ])('%s belongs to %s, and default has everything', (rawPath, own) => {
    for (const profile of ['default', 'jwt', 'jdbc', 'ldap', 'oauth2']) {
      const code = profile === own || profile === 'default' ? 'METHOD_NOT_SUPPORTED' : 'ENDPOINT_NOT_FOUND'
      expect([profile, noEndpoint('PUT', rawPath, profile).code]).toEqual([profile, code])
    }
  })
})

describe('a path with the name of a provider', () => {
  const { webhookProvider } = ROUTES
  const asksByGet = (source: string) => source === 'meta-eu'

  it.each([
    ['/webhooks/slack', 'slack'],
    ['/webhooks/Slack', 'slack'],
    ['/webhooks/%53lack', 'slack'],
    ['/webhooks/7.a_b-c', '7.a_b-c'],
    [`/webhooks/${'a'.repeat(64)}`, 'a'.repeat(64)],
  ])('%s names %s', (rawPath, name) => {
    expect(matchRoute(webhookProvider, rawPath)).toBeDefined()
    expect(providerIn(webhookProvider, rawPath)).toBe(name)
  })

  it.each([
    '/webhooks/',
    '/webhooks/__proto__',
    '/webhooks/..',
    '/webhooks/-a',
    '/webhooks/a%20b',
    '/webhooks/a%00',
    '/webhooks/a%2Fb',
    '/webhooks/%E2%84%AA',
    '/webhooks/META.Verify',
    '/webhooks/slack/',
    `/webhooks/${'a'.repeat(65)}`,
  ])('W26 %s names none, and is 404', (rawPath) => {
    expect(matchRoute(webhookProvider, rawPath)).toBeUndefined()
    expect(noEndpoint('POST', rawPath, 'default').code).toBe('ENDPOINT_NOT_FOUND')
  })

  it.each([
    ['GET', '/webhooks/Stripe', ['HEAD', 'POST']],
    ['DELETE', '/webhooks/META-eu', ['GET', 'HEAD', 'POST']],
  ])('%s %s is 405 with the methods of that source, each once', (method, rawPath, supportedMethods) => {
    expect(noEndpoint(method, rawPath, 'default', asksByGet)).toMatchObject({ details: { supportedMethods } })
  })

  it.each<[string, ErrorFormat]>([
    ['/webhooks/PAYMENT', 'webhook'],
    ['/webhooks/Stripe', 'text'],
    ['/webhooks/slack', 'text'],
  ])('%s refuses like the endpoint of that name: %s', (rawPath, format) => {
    expect(errorFormat(webhookProvider, rawPath)).toBe(format)
  })
})

const route = ROUTES.webhookEvent
const FRONT = '/api/webhooks/events/demo/'

function event(rawPath: string, eventId?: string): HttpEvent {
  const pathParameters = eventId === undefined ? undefined : { source: 'demo', eventId }
  return { rawPath, pathParameters } as unknown as HttpEvent
}

describe('an event id is decoded once', () => {
  it.each([
    ['a/b', `${FRONT}a%2Fb`],
    ['%41', `${FRONT}%2541`],
    ['a:b ü', `${FRONT}a:b%20%C3%BC`],
    ['a?b', `${FRONT}a%3Fb`],
  ])('if the gateway has decoded the path: %s', (eventId, sent) => {
    expect(sentPath(route, event(`${FRONT}${eventId}`, eventId))).toBe(sent)
    expect(matchPath(route.path, sent)).toEqual({ source: 'demo', eventId })
  })

  it.each(['a?', 'a/b?c?d'])('if the gateway has cut the path at a question mark: %s', (eventId) => {
    const [cut = ''] = eventId.split('?')
    const sent = sentPath(route, event(`${FRONT}${cut}`, eventId))
    expect(matchPath(route.path, sent)).toEqual({ source: 'demo', eventId })
  })

  it.each([
    ['a/b', `${FRONT}a%2Fb`],
    ['%41', `${FRONT}%2541`],
    ['A', `${FRONT}%41`],
  ])('if the path is as it was sent: %s', (eventId, rawPath) => {
    expect(sentPath(route, event(rawPath, eventId))).toBe(rawPath)
  })

  it('for any id, in both cases', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (eventId) => {
        for (const written of [eventId, encodeURIComponent(eventId)]) {
          const path = sentPath(route, event(`${FRONT}${written}`, eventId))
          expect(matchPath(route.path, path)).toEqual({ source: 'demo', eventId })
        }
      }),
    )
  })
})

describe('a path without parameters', () => {
  it.each([
    ['/ü\r\nx', '/%C3%BC%0D%0Ax'],
    ['/100%', '/100%25'],
    ['/\ud800', '/%EF%BF%BD'],
  ])('contains only characters of paths: %j', (rawPath, sent) => {
    expect(sentPath(ROUTES.adminSecure, event(rawPath))).toBe(sent)
    expect(sentPath(undefined, event(rawPath))).toBe(sent)
  })

  it.each(['/api/admin/secure', '/api/%61dmin/secure'])('is unchanged: %s', (rawPath) => {
    expect(sentPath(ROUTES.adminSecure, event(rawPath))).toBe(rawPath)
  })
})
