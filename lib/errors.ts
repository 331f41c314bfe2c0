interface ErrorSpec {
  readonly status: number
  /** The category, `error` in a body (http-19). */
  readonly error: string
  readonly message: string
}

/** Every failure that a caller may see (http-20 to http-33). */
export const CATALOG = {
  VALIDATION_FAILED: { status: 400, error: 'Bad Request', message: 'Validation failed for request parameters' },
  TIMESTAMP_OUTSIDE_WINDOW: { status: 400, error: 'Bad Request', message: 'Timestamp outside the allowed window' },
  SIGNATURE_REJECTED: { status: 400, error: 'Bad Request', message: 'Invalid signature' },
  SIGNATURE_INVALID: { status: 401, error: 'Unauthorized', message: 'Invalid signature' },
  /** For a sender that expects no text. */
  SIGNATURE_INVALID_BARE: { status: 401, error: 'Unauthorized', message: 'Invalid signature' },
  AUTHENTICATION_REQUIRED: { status: 401, error: 'Unauthorized', message: 'Authentication required' },
  TOKEN_INVALID: { status: 401, error: 'Unauthorized', message: 'Invalid or expired JWT token' },
  TOKEN_EXPIRED: { status: 401, error: 'Unauthorized', message: 'JWT token has expired' },
  BAD_CREDENTIALS: { status: 401, error: 'Unauthorized', message: 'Invalid username or password' },
  API_KEY_INVALID: { status: 401, error: 'Unauthorized', message: 'Invalid API key' },
  TICKET_INVALID: { status: 401, error: 'Unauthorized', message: 'Invalid or expired live ticket' },
  ROLE_REQUIRED: { status: 403, error: 'Access Denied', message: "You don't have permission to access this resource" },
  DESTINATION_CLOSED: {
    status: 403,
    error: 'Access Denied',
    message: "You don't have permission to access this resource",
  },
  KEY_OUT_OF_SCOPE: {
    status: 403,
    error: 'Access Denied',
    message: "You don't have permission to access this resource",
  },
  METHOD_ACCESS_DENIED: { status: 403, error: 'Access Denied', message: 'Method access denied' },
  PASSWORD_ELSEWHERE: {
    status: 403,
    error: 'Access Denied',
    message: 'The password of this account is kept elsewhere',
  },
  PASSKEYS_ELSEWHERE: {
    status: 403,
    error: 'Access Denied',
    message: 'An account at an identity provider has no passkeys here',
  },
  CROSS_SITE_LOGIN: { status: 403, error: 'Access Denied', message: 'A page of another site cannot begin a login' },
  CSRF_REFUSED: { status: 403, error: 'Access Denied', message: 'Invalid CSRF token' },
  ENDPOINT_NOT_FOUND: { status: 404, error: 'Not Found', message: 'No endpoint found for the method and path' },
  USER_NOT_FOUND: { status: 404, error: 'Not Found', message: 'User not found' },
  SESSION_NOT_FOUND: { status: 404, error: 'Not Found', message: 'Session not found' },
  PASSKEY_NOT_FOUND: { status: 404, error: 'Not Found', message: 'Passkey not found' },
  KEY_NOT_FOUND: { status: 404, error: 'Not Found', message: 'API key not found' },
  EVENT_NOT_FOUND: { status: 404, error: 'Not Found', message: 'Webhook event not found' },
  LOGIN_STEPS_NOT_FOUND: {
    status: 404,
    error: 'Not Found',
    message: 'The session did not begin with an identity provider',
  },
  PAYMENT_NOT_FOUND: { status: 404, error: 'Not Found', message: 'Payment not found' },
  ORDER_NOT_FOUND: { status: 404, error: 'Not Found', message: 'Order not found' },
  REPLAY_NOT_FOUND: { status: 404, error: 'Not Found', message: 'Replay not found' },
  SETUP_NOT_FOUND: { status: 404, error: 'Not Found', message: 'No source of this name is set up by a token' },
  DESTINATION_NOT_FOUND: { status: 404, error: 'Not Found', message: 'Destination not found' },
  SERVICE_NOT_FOUND: { status: 404, error: 'Not Found', message: 'Service not found' },
  METHOD_NOT_SUPPORTED: { status: 405, error: 'Method Not Allowed', message: 'Request method is not supported' },
  USER_EXISTS: { status: 409, error: 'Conflict', message: 'User already exists' },
  PASSKEY_LIMIT_REACHED: { status: 409, error: 'Conflict', message: 'The account has as many passkeys as it may have' },
  EVENT_NOT_FAILED: { status: 409, error: 'Conflict', message: 'Webhook event is not FAILED' },
  EVENT_NOT_HELD: { status: 409, error: 'Conflict', message: 'Webhook event is not held' },
  EVENT_HELD: { status: 409, error: 'Conflict', message: 'Webhook event is held: release it first' },
  DELIVERY_UNDER_WAY: { status: 409, error: 'Conflict', message: 'Delivery is under way' },
  EVENT_UNDER_WAY: { status: 409, error: 'Conflict', message: 'Webhook event is under way' },
  PAYLOAD_MISSING: { status: 409, error: 'Conflict', message: 'The payload of the webhook event was deleted' },
  REPLAY_EXISTS: { status: 409, error: 'Conflict', message: 'Replay already exists with another content' },
  PAYLOAD_DELETED: { status: 410, error: 'Gone', message: 'Payload deleted' },
  PAYLOAD_TOO_LARGE: { status: 413, error: 'Payload Too Large', message: 'Payload too large' },
  /** Something of the body has to be read, and no body is ever decoded. */
  CODING_UNSUPPORTED: { status: 415, error: 'Unsupported Media Type', message: 'Content coding is not supported' },
  MEDIA_TYPE_UNSUPPORTED: { status: 415, error: 'Unsupported Media Type', message: 'Content type is not supported' },
  TOO_MANY_REQUESTS: { status: 429, error: 'Too Many Requests', message: 'Too many requests' },
  RATE_LIMIT_EXCEEDED: { status: 429, error: 'Too Many Requests', message: 'Rate limit exceeded' },
  HEADERS_TOO_LARGE: { status: 431, error: 'Request Header Fields Too Large', message: 'Request headers too large' },
  PROCESSING_FAILED: { status: 500, error: 'Internal Server Error', message: 'Processing failed' },
  UNEXPECTED: { status: 500, error: 'Internal Server Error', message: 'An unexpected error occurred' },
  UNAVAILABLE: { status: 503, error: 'Service Unavailable', message: 'Service temporarily unavailable' },
} as const satisfies Record<string, ErrorSpec>

export type ErrorCode = keyof typeof CATALOG

/** One refused input: `field` is its place, `message` a rule in plain words; never the value of a secret. */
export interface ValidationError {
  readonly field: string
  readonly message: string
  readonly rejectedValue: string | null
}

interface RoleDetails {
  readonly requiredRole: string
  readonly userRoles: readonly string[]
  readonly resource: string
  readonly action: string
}

interface Later {
  readonly retryAfterSeconds: number
}

/** The codes that say more than their text, and their details. */
export interface ErrorDetails {
  VALIDATION_FAILED: { readonly validationErrors: readonly ValidationError[] }
  TOKEN_INVALID: { readonly tokenError: string; readonly tokenStatus: string }
  TOKEN_EXPIRED: {
    readonly tokenError: string
    readonly tokenStatus: 'EXPIRED'
    readonly expiredAt: string
    readonly currentTime: string
  }
  BAD_CREDENTIALS: {
    readonly authType: 'Basic Authentication' | 'Login' | 'Passkey'
    readonly reason: 'Bad credentials'
  }
  API_KEY_INVALID: { readonly authType: 'API Key'; readonly reason: 'Bad credentials' }
  /** The ticket is unknown, spent or too old, or its login session has ended. */
  TICKET_INVALID: {
    readonly authType: 'Ticket'
    readonly reason: 'Bad credentials' | 'Session ended' | 'Role changed'
  }
  ROLE_REQUIRED: RoleDetails
  /** No role gives access. */
  DESTINATION_CLOSED: { readonly resource: string; readonly action: string }
  /** The key, and the sources whose events it reads. */
  KEY_OUT_OF_SCOPE: { readonly keyId: string; readonly sources: readonly string[] }
  METHOD_ACCESS_DENIED: RoleDetails & {
    readonly methodSecurity: true
    readonly expression: string
    readonly evaluationResult: false
    /** The half of the expression that did not hold. */
    readonly failedCondition: string
  }
  TOO_MANY_REQUESTS: Later
  RATE_LIMIT_EXCEEDED: Later
  METHOD_NOT_SUPPORTED: { readonly requestMethod: string; readonly supportedMethods: readonly string[] }
  /** `reason` is safe to show: it comes from our own rules, never from a library or a store. */
  PROCESSING_FAILED: { readonly reason: string }
}

type DetailsOf<C extends ErrorCode> = C extends keyof ErrorDetails ? ErrorDetails[C] : undefined
type DetailsArgument<C extends ErrorCode> = C extends keyof ErrorDetails ? [details: ErrorDetails[C]] : []

/** A refusal that a caller may see: its code decides status and text, its details travel with it. */
export class ServiceError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'ServiceError'
  readonly code: C
  readonly details: DetailsOf<C>

  constructor(code: C, details: DetailsOf<C>, options?: ErrorOptions) {
    super(CATALOG[code].message, options)
    this.code = code
    this.details = details
  }

  get status(): number {
    return CATALOG[this.code].status
  }

  /** The category, `error` in a body (http-19). */
  get category(): string {
    return CATALOG[this.code].error
  }

  is<K extends ErrorCode>(code: K): this is ServiceError<K> {
    return (this.code as ErrorCode) === code
  }
}

/** The error of one row of the catalog; the compiler demands exactly the details that the row declares. */
export function fail<C extends ErrorCode>(code: C, ...[details]: DetailsArgument<C>): ServiceError<C> {
  return new ServiceError(code, details as DetailsOf<C>)
}

/** What was thrown, as an error of the catalog: a bug is the unexpected one. */
export function serviceErrorOf(thrown: unknown): ServiceError {
  return thrown instanceof ServiceError ? thrown : new ServiceError('UNEXPECTED', undefined, { cause: thrown })
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
  /** The unknown names below the path. */
  readonly keys?: readonly string[]
}

/**
 * The refusal of an input by a schema, with the rule that each field broke.
 * @param given the values that may be repeated, by field
 */
export function invalid(
  issues: readonly Issue[],
  given: Readonly<Record<string, string>> = {},
): ServiceError<'VALIDATION_FAILED'> {
  const validationErrors = issues.flatMap(({ path, message, keys }) =>
    fieldsOf(path, keys).map((field) => ({ field, message, rejectedValue: givenAs(field, given) })),
  )
  return fail('VALIDATION_FAILED', { validationErrors })
}

/** The broken rules of a refused input in one text: each field with its rule, in alphabetical order. */
export function rulesIn({ details }: ServiceError<'VALIDATION_FAILED'>): string {
  const rules = details.validationErrors.map(({ field, message }) => `${field} ${message}`)
  return `Validation failed: ${rules.sort().join('; ')}`
}

/** The caller may have chosen the name of the field. */
function givenAs(field: string, given: Readonly<Record<string, string>>): string | null {
  return Object.hasOwn(given, field) ? (given[field] ?? null) : null
}

function fieldsOf(path: Issue['path'], keys: Issue['keys']): readonly string[] {
  const paths = keys?.map((key) => [...path, key]) ?? [path]
  return paths.map((names) => names.map(String).join('.') || 'body')
}

/** A store, queue or provider is down or too slow: 503 with Retry-After, the cause for the log alone. */
export function unavailable(cause: unknown): ServiceError<'UNAVAILABLE'> {
  return new ServiceError('UNAVAILABLE', undefined, { cause })
}
