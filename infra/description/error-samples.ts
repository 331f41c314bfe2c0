import { isGuarded } from '../../lib/auth/access.ts'
import { ROUTES } from '../../lib/contract/gen/endpoints.ts'
import type { ErrorFormat, Route } from '../../lib/contract/route.ts'
import { type ErrorCode, fail, ServiceError } from '../../lib/errors.ts'
import { errorReply } from '../../lib/http/error-body.ts'
import type { HttpEvent, Reply } from '../../lib/http/message.ts'
import { accessRefusalOf, loginTooOld } from '../../lib/http/middleware/authorize.ts'
import { methodsOf } from '../../lib/http/routing.ts'
import type { Role } from '../../lib/users/role.ts'

const LATER = { retryAfterSeconds: 30 }

/** The call that samples refuse. */
export interface RefusedCall {
  readonly route: Route
  /** With values for its parameters. */
  readonly path: string
  /** How a wrong input of it is refused. */
  readonly invalid: ServiceError<'VALIDATION_FAILED'>
  /** What credentials of a name and a password may be for. */
  readonly authTypes: readonly ('Basic Authentication' | 'Login' | 'Passkey')[]
  /** The types of a body that are taken. */
  readonly accept: string
}

/** A call for samples of no certain endpoint. */
const ANY_CALL: RefusedCall = {
  route: ROUTES.usersCreate,
  path: ROUTES.usersCreate.path,
  invalid: fail('VALIDATION_FAILED', {
    validationErrors: [{ field: 'username', message: 'is required', rejectedValue: null }],
  }),
  authTypes: ['Basic Authentication', 'Login', 'Passkey'],
  accept: 'application/json',
}

type Samples = Partial<Record<ErrorCode, () => readonly ServiceError[]>>

/** Samples of codes with more than a fixed text; some codes have several. */
function detailed({ route, path, invalid, authTypes, accept }: RefusedCall): Samples {
  const request = { rawPath: path, requestContext: { http: { method: route.method } } } as HttpEvent
  const access = typeof route.access === 'object' ? route.access : { role: 'ROLE_ADMIN' as const }
  const held: readonly Role[] = access.role === 'ROLE_ADMIN' ? ['ROLE_USER'] : []
  const without = (demand: Route['access']) =>
    accessRefusalOf('role-missing', request, { ...route, access: demand }, held)
  return {
    VALIDATION_FAILED: () => [invalid],
    SESSION_REQUIRED: () => [
      fail('SESSION_REQUIRED', {
        reason: 'This endpoint takes the session of a login: log in at /login',
        accepted: ['session'],
      }),
    ],
    SCHEME_NOT_ACCEPTED: () => [
      fail('SCHEME_NOT_ACCEPTED', { reason: 'Digest is not accepted here', accepted: ['Bearer'] }),
    ],
    TOKEN_NOT_ACCEPTED: () => [
      fail('TOKEN_NOT_ACCEPTED', { reason: 'This profile takes no bearer tokens over HTTP', accepted: ['Basic'] }),
    ],
    TOKEN_MISPLACED: () => [
      fail('TOKEN_MISPLACED', { reason: 'A token counts in the Authorization header only; one came in the query' }),
    ],
    ORIGIN_NOT_TRUSTED: () => [
      fail('ORIGIN_NOT_TRUSTED', { origin: 'http://localhost:5173', setting: 'TRUSTED_ORIGINS' }),
    ],
    CSRF_TOKEN_MISSING: () => [
      fail('CSRF_TOKEN_MISSING', { reason: 'The call carries a session cookie (JSESSIONID) and no CSRF token' }),
    ],
    CSRF_TOKEN_WRONG: () => [
      fail('CSRF_TOKEN_WRONG', { reason: 'The CSRF token is not that of the session cookie (JSESSIONID)' }),
    ],
    CODING_UNSUPPORTED: () => [fail('CODING_UNSUPPORTED', { given: 'gzip' })],
    MEDIA_TYPE_UNSUPPORTED: () => [fail('MEDIA_TYPE_UNSUPPORTED', { given: 'text/plain', accept })],
    TOKEN_INVALID: () => [
      fail('TOKEN_INVALID', { tokenError: 'JWT signature does not match', tokenStatus: 'INVALID_SIGNATURE' }),
    ],
    TOKEN_EXPIRED: () => [
      fail('TOKEN_EXPIRED', {
        tokenError: 'JWT expired',
        tokenStatus: 'EXPIRED',
        expiredAt: '2026-11-21T06:00:00.000Z',
        currentTime: '2026-11-21T07:00:00.000Z',
      }),
    ],
    BAD_CREDENTIALS: () =>
      authTypes.map((authType) => fail('BAD_CREDENTIALS', { authType, reason: 'Bad credentials' })),
    API_KEY_INVALID: () => [fail('API_KEY_INVALID', { authType: 'API Key', reason: 'Bad credentials' })],
    TICKET_INVALID: () => [fail('TICKET_INVALID', { authType: 'Ticket', reason: 'Bad credentials' })],
    ROLE_REQUIRED: () => [without({ role: access.role })],
    METHOD_ACCESS_DENIED: () => [without(access)],
    LOGIN_TOO_OLD: () => [loginTooOld(new Date('2026-11-21T06:00:00Z'), 300)],
    KEY_OUT_OF_SCOPE: () => [fail('KEY_OUT_OF_SCOPE', { keyId: '0svjv5tv1wq2o', sources: ['stripe'] })],
    DESTINATION_CLOSED: () => [fail('DESTINATION_CLOSED', { resource: '/queue/a', action: 'SEND' })],
    METHOD_NOT_SUPPORTED: () => [
      fail('METHOD_NOT_SUPPORTED', { requestMethod: route.method, supportedMethods: methodsOf(path, 'default') }),
    ],
    TOO_MANY_REQUESTS: () => [fail('TOO_MANY_REQUESTS', LATER)],
    RATE_LIMIT_EXCEEDED: () => [fail('RATE_LIMIT_EXCEEDED', LATER)],
    PROCESSING_FAILED: () => [
      fail('PROCESSING_FAILED', { reason: 'transaction belongs to another order or currency' }),
    ],
  }
}

const NOW = new Date('2026-11-21T07:00:00.000Z')

export interface ErrorSample {
  readonly code: ErrorCode
  /** Distinguishes the samples of a code. */
  readonly variant: string
  readonly error: ServiceError
  readonly format: ErrorFormat
  readonly reply: Reply
}

/** The service's actual answers with a code. */
export function samplesOf(code: ErrorCode, format: ErrorFormat, call = ANY_CALL): readonly ErrorSample[] {
  const errors = detailed(call)[code]?.() ?? [new ServiceError(code, undefined)]
  return errors.map((error, index) => ({
    code,
    variant: index === 0 ? '' : `${index + 1}`,
    error,
    format,
    reply: errorReply(format, error, { path: call.path, now: NOW, offersBasic: isGuarded(call.route) }),
  }))
}
