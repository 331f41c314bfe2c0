import * as z from 'zod'
import { CATALOG, CATEGORIES, type ErrorCode, type ErrorDetails } from '../../errors.ts'
import { role } from './accounts.ts'
import { instant, localDateTime } from './shapes.ts'

const roleDetails = { requiredRole: role, userRoles: z.array(role), resource: z.string(), action: z.string() }

const reason = z.strictObject({ reason: z.string() })
const notAccepted = z.strictObject({ reason: z.string(), accepted: z.array(z.string()) })

/** The codes whose details are sent in a header or in the text. */
type Unshown = 'TOO_MANY_REQUESTS' | 'RATE_LIMIT_EXCEEDED' | 'PROCESSING_FAILED'

/** The content of `details` (http-17); a code that is not listed has none. */
const DETAILS = {
  VALIDATION_FAILED: z.strictObject({
    validationErrors: z.array(
      z
        .strictObject({ field: z.string(), message: z.string(), rejectedValue: z.string().nullable() })
        .meta({ id: 'FieldError' }),
    ),
  }),
  SESSION_REQUIRED: notAccepted,
  SCHEME_NOT_ACCEPTED: notAccepted,
  TOKEN_NOT_ACCEPTED: notAccepted,
  TOKEN_MISPLACED: reason,
  TOKEN_INVALID: z.strictObject({ tokenError: z.string(), tokenStatus: z.string() }),
  TOKEN_EXPIRED: z.strictObject({
    tokenError: z.string(),
    tokenStatus: z.literal('EXPIRED'),
    expiredAt: instant,
    currentTime: instant,
  }),
  BAD_CREDENTIALS: z.strictObject({
    authType: z.enum(['Basic Authentication', 'Login', 'Passkey']),
    reason: z.literal('Bad credentials'),
  }),
  API_KEY_INVALID: z.strictObject({ authType: z.literal('API Key'), reason: z.literal('Bad credentials') }),
  TICKET_INVALID: z.strictObject({
    authType: z.literal('Ticket'),
    reason: z.enum(['Bad credentials', 'Session ended', 'Role changed']),
  }),
  ROLE_REQUIRED: z.strictObject(roleDetails),
  DESTINATION_CLOSED: z.strictObject({ resource: z.string(), action: z.string() }),
  KEY_OUT_OF_SCOPE: z.strictObject({ keyId: z.string(), sources: z.array(z.string()) }),
  METHOD_ACCESS_DENIED: z.strictObject({
    methodSecurity: z.literal(true),
    expression: z.string(),
    evaluationResult: z.literal(false),
    failedCondition: z.string(),
    ...roleDetails,
  }),
  ENDPOINT_NOT_FOUND: z.strictObject({ meant: z.string().startsWith('/webhooks/') }).optional(),
  LOGIN_TOO_OLD: z.strictObject({ reason: z.string(), maxAgeSeconds: z.int(), loggedInAt: z.string().nullable() }),
  ORIGIN_NOT_TRUSTED: z.strictObject({ origin: z.string().nullable(), setting: z.literal('TRUSTED_ORIGINS') }),
  CSRF_TOKEN_MISSING: reason,
  CSRF_TOKEN_WRONG: reason,
  CODING_UNSUPPORTED: z.strictObject({ given: z.string() }),
  MEDIA_TYPE_UNSUPPORTED: z.strictObject({ given: z.string().nullable() }),
  METHOD_NOT_SUPPORTED: z.strictObject({ requestMethod: z.string(), supportedMethods: z.array(z.string()) }),
} as const satisfies {
  readonly [C in Exclude<keyof ErrorDetails, Unshown>]: z.ZodType<
    ErrorDetails[C] extends { readonly accept: string } ? Omit<ErrorDetails[C], 'accept'> : ErrorDetails[C]
  >
}

/** The body of an error of the API (http-17). */
export function apiError(code: ErrorCode) {
  const { status, message } = CATALOG[code]
  const details: z.ZodType | undefined = (DETAILS as Partial<Record<ErrorCode, z.ZodType>>)[code]
  return z.strictObject({
    timestamp: instant,
    status: z.literal(status),
    error: z.literal(CATEGORIES[status]),
    message: z.literal(message),
    ...(details && { details }),
    path: z.string().startsWith('/').describe('As it was sent, without the query.'),
  })
}

/** The body of an error of a webhook that answers in JSON (webhooks-37). */
export const WEBHOOK_ERROR = z
  .strictObject({ success: z.literal(false), message: z.string().min(1), timestamp: localDateTime })
  .meta({ id: 'WebhookRefused' })
