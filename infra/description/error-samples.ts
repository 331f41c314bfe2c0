import type { ErrorFormat } from '../../lib/endpoints/route.ts'
import { type ErrorCode, fail, ServiceError } from '../../lib/errors.ts'
import { errorReply } from '../../lib/http/error-body.ts'
import type { Reply } from '../../lib/http/message.ts'

const LATER = { retryAfterSeconds: 30 }
const ROLES = {
  requiredRole: 'ROLE_ADMIN',
  userRoles: ['ROLE_USER'],
  resource: '/api/users',
  action: 'POST',
} as const

/** Samples for codes with more than a fixed text; some codes have several. */
const EXAMPLES: Partial<Record<ErrorCode, readonly ServiceError[]>> = {
  VALIDATION_FAILED: [
    fail('VALIDATION_FAILED', {
      validationErrors: [
        { field: 'username', message: 'Username is required and cannot be empty', rejectedValue: null },
      ],
    }),
  ],
  TOKEN_INVALID: [
    fail('TOKEN_INVALID', { tokenError: 'JWT signature does not match', tokenStatus: 'INVALID_SIGNATURE' }),
  ],
  TOKEN_EXPIRED: [
    fail('TOKEN_EXPIRED', {
      tokenError: 'JWT expired',
      tokenStatus: 'EXPIRED',
      expiredAt: '2026-11-21T06:00:00.000Z',
      currentTime: '2026-11-21T07:00:00.000Z',
    }),
  ],
  BAD_CREDENTIALS: [
    fail('BAD_CREDENTIALS', { authType: 'Basic Authentication', reason: 'Bad credentials' }),
    fail('BAD_CREDENTIALS', { authType: 'Login', reason: 'Bad credentials' }),
  ],
  API_KEY_INVALID: [fail('API_KEY_INVALID', { authType: 'API Key', reason: 'Bad credentials' })],
  TICKET_INVALID: [fail('TICKET_INVALID', { authType: 'Ticket', reason: 'Bad credentials' })],
  ROLE_REQUIRED: [fail('ROLE_REQUIRED', ROLES)],
  KEY_OUT_OF_SCOPE: [fail('KEY_OUT_OF_SCOPE', { keyId: '0svjv5tv1wq2o', sources: ['stripe'] })],
  DESTINATION_CLOSED: [fail('DESTINATION_CLOSED', { resource: '/queue/a', action: 'SEND' })],
  METHOD_ACCESS_DENIED: [
    fail('METHOD_ACCESS_DENIED', {
      methodSecurity: true,
      expression: "hasRole('ADMIN') and hasPermission(null, 'User', 'CREATE')",
      evaluationResult: false,
      failedCondition: "hasRole('ADMIN')",
      ...ROLES,
    }),
  ],
  METHOD_NOT_SUPPORTED: [fail('METHOD_NOT_SUPPORTED', { requestMethod: 'GET', supportedMethods: ['POST'] })],
  TOO_MANY_REQUESTS: [fail('TOO_MANY_REQUESTS', LATER)],
  RATE_LIMIT_EXCEEDED: [fail('RATE_LIMIT_EXCEEDED', LATER)],
  PROCESSING_FAILED: [fail('PROCESSING_FAILED', { reason: 'transaction belongs to another order or currency' })],
}

const CIRCUMSTANCES = { path: '/api/users', now: new Date('2026-11-21T07:00:00.000Z') }

export interface ErrorSample {
  readonly code: ErrorCode
  /** Distinguishes the samples of a code. */
  readonly variant: string
  readonly error: ServiceError
  readonly format: ErrorFormat
  readonly reply: Reply
}

/** The service's actual answers with a code. */
export function samplesOf(code: ErrorCode, format: ErrorFormat): readonly ErrorSample[] {
  const errors = EXAMPLES[code] ?? [new ServiceError(code, undefined)]
  return errors.map((error, index) => ({
    code,
    variant: index === 0 ? '' : `${index + 1}`,
    error,
    format,
    reply: errorReply(format, error, CIRCUMSTANCES),
  }))
}
