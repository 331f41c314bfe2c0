import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../../lib/endpoints/index.ts'
import type { HttpEvent } from '../../../lib/http/message.ts'
import { matchPath } from '../../../lib/http/routing.ts'
import { sentPath, writable } from '../../../lib/http/sent-path.ts'

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
    expect(writable(rawPath)).toBe(sent)
  })

  it.each(['/api/admin/secure', '/api/%61dmin/secure'])('is unchanged: %s', (rawPath) => {
    expect(sentPath(ROUTES.adminSecure, event(rawPath))).toBe(rawPath)
  })
})
