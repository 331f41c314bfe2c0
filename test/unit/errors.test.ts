import { describe, expect, it } from 'vitest'
import { type ErrorCode, fail, invalid, ServiceError, unavailable } from '../../lib/errors.ts'

/** The errors and their texts (http-20 to http-33). */
const ROWS: readonly (readonly [ErrorCode, number, string, string])[] = [
  ['VALIDATION_FAILED', 400, 'Bad Request', 'Validation failed for request parameters'],
  ['TIMESTAMP_OUTSIDE_WINDOW', 400, 'Bad Request', 'Timestamp outside the allowed window'],
  ['SIGNATURE_REJECTED', 400, 'Bad Request', 'Invalid signature'],
  ['SIGNATURE_INVALID', 401, 'Unauthorized', 'Invalid signature'],
  ['AUTHENTICATION_REQUIRED', 401, 'Unauthorized', 'Authentication required'],
  ['SESSION_REQUIRED', 401, 'Unauthorized', 'Authentication required'],
  ['SCHEME_NOT_ACCEPTED', 401, 'Unauthorized', 'Authentication required'],
  ['TOKEN_NOT_ACCEPTED', 401, 'Unauthorized', 'Authentication required'],
  ['TOKEN_MISPLACED', 401, 'Unauthorized', 'Authentication required'],
  ['TOKEN_INVALID', 401, 'Unauthorized', 'Invalid or expired JWT token'],
  ['TOKEN_EXPIRED', 401, 'Unauthorized', 'JWT token has expired'],
  ['BAD_CREDENTIALS', 401, 'Unauthorized', 'Invalid username or password'],
  ['ROLE_REQUIRED', 403, 'Access Denied', "You don't have permission to access this resource"],
  ['DESTINATION_CLOSED', 403, 'Access Denied', "You don't have permission to access this resource"],
  ['METHOD_ACCESS_DENIED', 403, 'Access Denied', 'Method access denied'],
  ['NOT_BY_DOMAIN', 403, 'Access Denied', 'Call the service by its domain'],
  ['ORIGIN_NOT_TRUSTED', 403, 'Access Denied', 'Origin is not trusted'],
  ['CSRF_TOKEN_MISSING', 403, 'Access Denied', 'Invalid CSRF token'],
  ['CSRF_TOKEN_WRONG', 403, 'Access Denied', 'Invalid CSRF token'],
  ['ENDPOINT_NOT_FOUND', 404, 'Not Found', 'No endpoint found for the method and path'],
  ['USER_NOT_FOUND', 404, 'Not Found', 'User not found'],
  ['METHOD_NOT_SUPPORTED', 405, 'Method Not Allowed', 'Request method is not supported'],
  ['USER_EXISTS', 409, 'Conflict', 'User already exists'],
  ['PAYLOAD_TOO_LARGE', 413, 'Payload Too Large', 'Payload too large'],
  ['CODING_UNSUPPORTED', 415, 'Unsupported Media Type', 'Content coding is not supported'],
  ['MEDIA_TYPE_UNSUPPORTED', 415, 'Unsupported Media Type', 'Content type is not supported'],
  ['TOO_MANY_REQUESTS', 429, 'Too Many Requests', 'Too many requests'],
  ['RATE_LIMIT_EXCEEDED', 429, 'Too Many Requests', 'Rate limit exceeded'],
  ['HEADERS_TOO_LARGE', 431, 'Request Header Fields Too Large', 'Request headers too large'],
  ['UNEXPECTED', 500, 'Internal Server Error', 'An unexpected error occurred'],
  ['UNAVAILABLE', 503, 'Service Unavailable', 'Service temporarily unavailable'],
]

describe('an error of the catalog', () => {
  it.each(ROWS)('%s is %i %s: %s', (code, status, category, message) => {
    const error = new ServiceError(code, undefined)
    expect([error.status, error.category, error.message]).toEqual([status, category, message])
  })

  it('carries its details', () => {
    const details = { authType: 'Login', reason: 'Bad credentials' } as const
    expect(fail('BAD_CREDENTIALS', details).details).toEqual(details)
  })

  it('has its own code only', () => {
    const error = fail('EVENT_NOT_FOUND')
    expect([error.is('EVENT_NOT_FOUND'), error.is('ENDPOINT_NOT_FOUND')]).toEqual([true, false])
  })

  it.each(['constructor', '__proto__', 'toString'])('H18 repeats no value of a missing field: %s', (name) => {
    const error = invalid([{ path: [], message: 'is not known', keys: [name] }], { other: 'x' })
    expect(error.details.validationErrors).toEqual([{ field: name, message: 'is not known', rejectedValue: null }])
  })

  it('keeps the cause of an outage out of its text', () => {
    const cause = new Error('connect ECONNREFUSED 10.0.0.1')
    const error = unavailable(cause)
    expect(error.code).toBe('UNAVAILABLE')
    expect(error.cause).toBe(cause)
    expect(error.message).not.toContain('10.0.0.1')
  })
})
