import { ROUTES } from '../../lib/contract/gen/endpoints.ts'
import type { ErrorFormat, Route } from '../../lib/contract/route.ts'
import { type ErrorCode, fail, ServiceError } from '../../lib/errors.ts'
import { errorReply } from '../../lib/http/error-body.ts'
import type { HttpEvent, Reply } from '../../lib/http/message.ts'
import { accessRefusalOf } from '../../lib/http/middleware/authorize.ts'
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
}

/** A call for samples of no certain endpoint. */
const ANY_CALL: RefusedCall = {
  route: ROUTES.usersCreate,
  path: ROUTES.usersCreate.path,
  invalid: fail('VALIDATION_FAILED', {
    validationErrors: [{ field: 'username', message: 'is required', rejectedValue: null }],
  }),
  authTypes: ['Basic Authentication', 'Login', 'Passkey'],
}

type Samples = Partial<Record<ErrorCode, () => readonly ServiceError[]>>

/** Samples of codes with more than a fixed text; some codes have several. */
function detailed({ route, path, invalid, authTypes }: RefusedCall): Samples {
  const request = { rawPath: path, requestContext: { http: { method: route.method } } } as HttpEvent
  const access = typeof route.access === 'object' ? route.access : { role: 'ROLE_ADMIN' as const }
  const held: readonly Role[] = access.role === 'ROLE_ADMIN' ? ['ROLE_USER'] : []
  const without = (demand: Route['access']) =>
    accessRefusalOf('role-missing', request, { ...route, access: demand }, held)
  return {
    VALIDATION_FAILED: () => [invalid],
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
    reply: errorReply(format, error, { path: call.path, now: NOW }),
  }))
}
