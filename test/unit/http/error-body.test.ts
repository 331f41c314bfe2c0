import { describe, expect, it } from 'vitest'
import type { ErrorFormat } from '../../../lib/contract/route.ts'
import { CATALOG, type ErrorCode, fail, ServiceError, unavailable } from '../../../lib/errors.ts'
import { challengesIn, errorReply, hasPage, prefersHtml } from '../../../lib/http/error-body.ts'
import { START } from '../../support/fakes/clock.ts'

const WHERE = { path: '/api/x%20y', now: START }

function replyOf(format: ErrorFormat, error: ServiceError) {
  const { body = '', ...reply } = errorReply(format, error, WHERE)
  return { ...reply, body }
}

function bare(code: ErrorCode): ServiceError {
  return new ServiceError(code, undefined)
}

const BROKEN = fail('VALIDATION_FAILED', {
  validationErrors: [
    { field: 'orderId', message: 'is required', rejectedValue: null },
    { field: 'amount', message: 'must be a number', rejectedValue: null },
  ],
})

describe('the error of an API', () => {
  it('has timestamp, status, error, message, details and path', () => {
    const reply = replyOf('api', BROKEN)
    expect(reply.statusCode).toBe(400)
    expect(reply.headers['content-type']).toBe('application/json')
    expect(JSON.parse(reply.body)).toEqual({
      timestamp: '2026-01-02T03:04:05.000Z',
      status: 400,
      error: 'Bad Request',
      message: 'Validation failed for request parameters',
      details: BROKEN.details,
      path: '/api/x%20y',
    })
  })

  it('has no details when there are none', () => {
    expect(JSON.parse(replyOf('api', fail('AUTHENTICATION_REQUIRED')).body)).toEqual({
      timestamp: '2026-01-02T03:04:05.000Z',
      status: 401,
      error: 'Unauthorized',
      message: 'Authentication required',
      path: '/api/x%20y',
    })
  })

  const BAD = 'Bad credentials'
  const BAD_BASIC = fail('BAD_CREDENTIALS', { authType: 'Basic Authentication', reason: BAD })

  it('offers Basic as well, in a call that a name and a password would mend: first, or some clients never answer', () => {
    const challengeOf = (error: ServiceError) =>
      errorReply('api', error, { ...WHERE, offersBasic: true }).headers['www-authenticate']
    const mended = ['AUTHENTICATION_REQUIRED', 'SCHEME_NOT_ACCEPTED', 'TOKEN_NOT_ACCEPTED', 'TOKEN_MISPLACED'] as const
    for (const code of mended) {
      expect(challengeOf(bare(code)), code).toBe('Basic realm="API", charset="UTF-8", Bearer realm="API"')
    }
    expect(challengeOf(BAD_BASIC)).toBe('Basic realm="API", charset="UTF-8"')
    expect(challengeOf(bare('TOKEN_INVALID'))).toBe('Bearer realm="API", error="invalid_token"')
    expect(challengeOf(bare('ROLE_REQUIRED'))).toBeUndefined()
  })

  it('is two challenges where a server can send two: that of the specification first', () => {
    const both = ['Bearer realm="API"', 'Basic realm="API", charset="UTF-8"']
    expect(challengesIn('Basic realm="API", charset="UTF-8", Bearer realm="API"')).toEqual(both)
    for (const one of [...both, 'Bearer realm="API", error="invalid_token"']) expect(challengesIn(one)).toEqual([one])
  })

  it.each<[string, ServiceError, string]>([
    ['AUTHENTICATION_REQUIRED', bare('AUTHENTICATION_REQUIRED'), 'Bearer realm="API"'],
    ['TOKEN_INVALID', bare('TOKEN_INVALID'), 'Bearer realm="API", error="invalid_token"'],
    ['TOKEN_EXPIRED', bare('TOKEN_EXPIRED'), 'Bearer realm="API", error="invalid_token"'],
    ['BAD_CREDENTIALS of a login', fail('BAD_CREDENTIALS', { authType: 'Login', reason: BAD }), 'Bearer realm="API"'],
    ['BAD_CREDENTIALS of HTTP Basic to the script of a page', BAD_BASIC, 'Bearer realm="API"'],
  ])('challenges with %s', (_, error, challenge) => {
    expect(replyOf('api', error).headers['www-authenticate']).toBe(challenge)
  })

  it('of too many requests shows the time of a retry only in Retry-After', () => {
    const reply = replyOf('api', fail('TOO_MANY_REQUESTS', { retryAfterSeconds: 115 }))
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([429, '115'])
    expect(reply.headers).not.toHaveProperty('www-authenticate')
    expect(JSON.parse(reply.body)).toEqual({
      timestamp: '2026-01-02T03:04:05.000Z',
      status: 429,
      error: 'Too Many Requests',
      message: 'Too many requests',
      path: '/api/x%20y',
    })
  })

  it('does not challenge with any other error', () => {
    expect(replyOf('api', bare('UNEXPECTED')).headers).not.toHaveProperty('www-authenticate')
  })

  it('of a wrong method names the methods in Allow', () => {
    const error = fail('METHOD_NOT_SUPPORTED', { requestMethod: 'PUT', supportedMethods: ['DELETE', 'GET'] })
    expect(replyOf('api', error).headers).toMatchObject({ allow: 'DELETE, GET' })
  })

  it('H22 contains nothing of its cause', () => {
    const { body } = replyOf('api', new ServiceError('UNEXPECTED', undefined, { cause: new Error('arn:aws:s3cret') }))
    expect(JSON.parse(body).message).toBe('An unexpected error occurred')
    expect(body).not.toMatch(/s3cret|stack|at /)
  })
})

describe('the error of a JSON webhook', () => {
  it.each<[ServiceError, number, string]>([
    [fail('SIGNATURE_INVALID'), 401, 'Invalid signature'],
    [BROKEN, 400, 'Validation failed: amount must be a number; orderId is required'],
    [fail('PROCESSING_FAILED', { reason: 'a rule was broken' }), 500, 'Processing failed: a rule was broken'],
  ])('is the webhook response of its own form: %s', (error, statusCode, message) => {
    const reply = replyOf('webhook', error)
    expect(reply.statusCode).toBe(statusCode)
    expect(reply.headers['content-type']).toBe('application/json')
    expect(JSON.parse(reply.body)).toEqual({ success: false, message, timestamp: '2026-01-02T03:04:05.000' })
  })

  it('with status 500 always has a message starting "Processing failed: "', () => {
    expect(JSON.parse(replyOf('webhook', fail('UNEXPECTED')).body).message).toMatch(/^Processing failed: /)
  })

  it('never challenges', () => {
    expect(replyOf('webhook', fail('SIGNATURE_INVALID')).headers).not.toHaveProperty('www-authenticate')
  })
})

describe('the error of a provider endpoint', () => {
  it.each<[ServiceError, number, string]>([
    [BROKEN, 400, 'Validation failed: amount must be a number; orderId is required'],
    [fail('PROCESSING_FAILED', { reason: 'a rule was broken' }), 500, 'Processing failed: a rule was broken'],
  ])('is plain text: %s', (error, statusCode, body) => {
    const reply = replyOf('text', error)
    expect(reply).toMatchObject({ statusCode, body })
    expect(reply.headers['content-type']).toMatch(/^text\/plain/)
  })
})

it.each<ErrorFormat>(['webhook', 'text'])('429 shows the time of a retry: %s', (format) => {
  expect(replyOf(format, fail('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: 61 })).headers['retry-after']).toBe('61')
})

it.each<ErrorFormat>(['api', 'text'])('503 carries Retry-After: %s', (format) => {
  expect(replyOf(format, unavailable(undefined)).headers['retry-after']).toMatch(/^\d+$/)
  expect(replyOf(format, fail('UNEXPECTED')).headers).not.toHaveProperty('retry-after')
})

describe('a client that prefers HTML', () => {
  it.each([
    ['Chromium', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8'],
    ['Lynx', 'text/html, text/plain, text/sgml, */*;q=0.01'],
    ['any text', 'text/*'],
    ['other letters', 'Text/HTML; Q=0.9'],
    ['a quality higher by a thousandth', 'application/json;q=0.998, text/html;q=0.999'],
    ['no JSON', 'application/json;q=0, */*'],
  ])('is a browser: %s', (_, accept) => expect(prefersHtml(accept)).toBe(true))

  it.each([
    ['nothing', undefined],
    ['any type, as curl sends', '*/*'],
    ['JSON and any type, as axios sends', 'application/json, text/plain, */*'],
    ['both types with equal quality', 'text/html, application/json'],
    ['all application types with a higher quality', 'text/html;q=0.5, application/*'],
    ['no HTML, but any other text type', 'text/*, text/html;q=0'],
    ['an invalid quality', 'text/html;q=high'],
    ['a quality above one', 'text/html;q=1.5'],
    ['a type with the same beginning', 'text/html-sandboxed'],
  ])('is not a client that accepts %s', (_, accept) => expect(prefersHtml(accept)).toBe(false))
})

it('there is a page for 404, 405, 500 and 503, and for a login that another site began', () => {
  const codes = Object.keys(CATALOG) as ErrorCode[]
  const paged = codes.filter(hasPage)
  expect([...new Set(paged.map((code) => CATALOG[code].status))].sort()).toEqual([403, 404, 405, 500, 503])
  expect(paged.filter((code) => CATALOG[code].status === 403)).toEqual(['CROSS_SITE_LOGIN'])
  expect(codes.filter((code) => [404, 405, 500, 503].includes(CATALOG[code].status) && !hasPage(code))).toEqual([])
})
