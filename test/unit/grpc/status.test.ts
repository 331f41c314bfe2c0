import { status as Code } from '@grpc/grpc-js'
import { describe, expect, it } from 'vitest'
import { expired, refusal } from '../../../lib/auth/claims.ts'
import { type ErrorCode, fail, invalid, ServiceError, unavailable } from '../../../lib/errors.ts'
import { statusOf } from '../../../lib/grpc/status.ts'
import { START } from '../../support/fakes/clock.ts'
import { richStatusOf } from '../../support/grpc-status.ts'

/** Those that a method can end with, and are not told in more detail below. */
const NAMES: readonly (readonly [ErrorCode, keyof typeof Code])[] = [
  ['KEY_OUT_OF_SCOPE', 'PERMISSION_DENIED'],
  ['EVENT_NOT_FAILED', 'FAILED_PRECONDITION'],
  ['ROLE_REQUIRED', 'PERMISSION_DENIED'],
  ['EVENT_NOT_FOUND', 'NOT_FOUND'],
  ['SERVICE_NOT_FOUND', 'NOT_FOUND'],
  ['METHOD_NOT_SUPPORTED', 'UNIMPLEMENTED'],
  ['PAYLOAD_TOO_LARGE', 'RESOURCE_EXHAUSTED'],
  ['TOO_MANY_REQUESTS', 'RESOURCE_EXHAUSTED'],
  ['UNEXPECTED', 'INTERNAL'],
  ['UNAVAILABLE', 'UNAVAILABLE'],
]

describe('a failure of the catalog on gRPC', () => {
  it.each(NAMES)('%s is %s, with its text and its name', (code, name) => {
    const error = new ServiceError(code, undefined)
    const { code: sent, details, metadata } = statusOf(error)
    expect([sent, details]).toEqual([Code[name], error.message])
    expect(richStatusOf(metadata)).toMatchObject({
      code: sent,
      message: error.message,
      reason: code,
      domain: 'gatehouse',
    })
  })

  it.each(['MALFORMED', 'INVALID_SIGNATURE'] as const)(
    'a token that is %s is UNAUTHENTICATED with this reason',
    (tokenStatus) => {
      const { code, metadata } = statusOf(refusal(tokenStatus, 'why'))
      expect(code).toBe(Code.UNAUTHENTICATED)
      expect(richStatusOf(metadata)).toMatchObject({ reason: `TOKEN_${tokenStatus}`, facts: { tokenStatus } })
      expect(metadata.getMap()).toMatchObject({
        'token-status': tokenStatus,
        'www-authenticate': 'Bearer realm="API", error="invalid_token"',
      })
    },
  )

  it('an expired token is refused with its end and the present time', () => {
    const { code, details, metadata } = statusOf(expired(new Date(START.getTime() - 1000), START))
    expect([code, details]).toEqual([Code.UNAUTHENTICATED, 'JWT token has expired'])
    expect(richStatusOf(metadata)).toMatchObject({
      reason: 'TOKEN_EXPIRED',
      facts: {
        tokenStatus: 'EXPIRED',
        expiredAt: '2026-01-02T03:04:04.000Z',
        currentTime: '2026-01-02T03:04:05.000Z',
      },
    })
  })

  it('http-25: a missing token is challenged without an error', () => {
    const { code, details, metadata } = statusOf(fail('AUTHENTICATION_REQUIRED'))
    expect([code, details]).toEqual([Code.UNAUTHENTICATED, 'Authentication required'])
    expect(metadata.getMap()).toMatchObject({ 'www-authenticate': 'Bearer realm="API"', 'token-status': 'MISSING' })
    expect(richStatusOf(metadata)).toMatchObject({ reason: 'TOKEN_MISSING', facts: { tokenStatus: 'MISSING' } })
  })

  it('a wrong role is refused with the required and the present roles, the resource and the action', () => {
    const error = fail('ROLE_REQUIRED', {
      requiredRole: 'ROLE_ADMIN',
      userRoles: ['ROLE_USER'],
      resource: '/a.B/C',
      action: 'C',
    })
    expect(richStatusOf(statusOf(error).metadata).facts).toEqual({
      requiredRole: 'ROLE_ADMIN',
      userRoles: 'ROLE_USER',
      resource: '/a.B/C',
      action: 'C',
    })
  })

  it('a refused input names each field', () => {
    const { code, metadata } = statusOf(invalid([{ path: ['page', 'size'], message: 'must be at most 200' }]))
    expect(code).toBe(Code.INVALID_ARGUMENT)
    expect(richStatusOf(metadata)).toMatchObject({ facts: {}, violations: [['page.size', 'must be at most 200']] })
  })

  it('G11 an outage shows when to retry, and nothing of its cause', () => {
    const { details, metadata } = statusOf(unavailable(new Error('connect ECONNREFUSED 10.0.0.1')))
    expect(richStatusOf(metadata).retrySeconds).toBe(5)
    expect(JSON.stringify([details, richStatusOf(metadata)])).not.toContain('10.0.0.1')
  })
})
