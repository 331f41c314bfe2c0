/** The category of each status, `error` in a body (http-19). */
export const CATEGORIES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Access Denied',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const

interface ErrorSpec {
  readonly status: keyof typeof CATEGORIES
  readonly message: string
}

const UNAUTHENTICATED = { status: 401, message: 'Authentication required' } as const
const FORBIDDEN = { status: 403, message: "You don't have permission to access this resource" } as const
const NO_CSRF_TOKEN = { status: 403, message: 'Invalid CSRF token' } as const

/** Every failure that a caller may see (http-20 to http-33). */
export const CATALOG = {
  VALIDATION_FAILED: { status: 400, message: 'Validation failed for request parameters' },
  TIMESTAMP_OUTSIDE_WINDOW: { status: 400, message: 'Timestamp outside the allowed window' },
  SIGNATURE_REJECTED: { status: 400, message: 'Invalid signature' },
  SIGNATURE_INVALID: { status: 401, message: 'Invalid signature' },
  /** For a sender that expects no text. */
  SIGNATURE_INVALID_BARE: { status: 401, message: 'Invalid signature' },
  AUTHENTICATION_REQUIRED: UNAUTHENTICATED,
  /** At an endpoint that takes nothing but a session. */
  SESSION_REQUIRED: UNAUTHENTICATED,
  SCHEME_NOT_ACCEPTED: UNAUTHENTICATED,
  /** In a profile without bearer tokens. */
  TOKEN_NOT_ACCEPTED: UNAUTHENTICATED,
  /** A token in the query, a cookie or another header. */
  TOKEN_MISPLACED: UNAUTHENTICATED,
  TOKEN_INVALID: { status: 401, message: 'Invalid or expired JWT token' },
  TOKEN_EXPIRED: { status: 401, message: 'JWT token has expired' },
  BAD_CREDENTIALS: { status: 401, message: 'Invalid username or password' },
  API_KEY_INVALID: { status: 401, message: 'Invalid API key' },
  TICKET_INVALID: { status: 401, message: 'Invalid or expired live ticket' },
  ROLE_REQUIRED: FORBIDDEN,
  DESTINATION_CLOSED: FORBIDDEN,
  KEY_OUT_OF_SCOPE: FORBIDDEN,
  LOGIN_TOO_OLD: { status: 403, message: 'Log in again to do this' },
  METHOD_ACCESS_DENIED: { status: 403, message: 'Method access denied' },
  PASSWORD_ELSEWHERE: { status: 403, message: 'The password of this account is kept elsewhere' },
  PASSKEYS_ELSEWHERE: { status: 403, message: 'An account at an identity provider has no passkeys here' },
  KEYS_ELSEWHERE: { status: 403, message: 'A role that a provider gives makes no API keys' },
  CROSS_SITE_LOGIN: { status: 403, message: 'A page of another site cannot begin a login' },
  NOT_BY_DOMAIN: { status: 403, message: 'Call the service by its domain' },
  ORIGIN_NOT_TRUSTED: { status: 403, message: 'Origin is not trusted' },
  CSRF_TOKEN_MISSING: NO_CSRF_TOKEN,
  CSRF_TOKEN_WRONG: NO_CSRF_TOKEN,
  ENDPOINT_NOT_FOUND: { status: 404, message: 'No endpoint found for the method and path' },
  USER_NOT_FOUND: { status: 404, message: 'User not found' },
  SESSION_NOT_FOUND: { status: 404, message: 'Session not found' },
  PASSKEY_NOT_FOUND: { status: 404, message: 'Passkey not found' },
  KEY_NOT_FOUND: { status: 404, message: 'API key not found' },
  EVENT_NOT_FOUND: { status: 404, message: 'Webhook event not found' },
  LOGIN_STEPS_NOT_FOUND: { status: 404, message: 'The session did not begin with an identity provider' },
  PAYMENT_NOT_FOUND: { status: 404, message: 'Payment not found' },
  ORDER_NOT_FOUND: { status: 404, message: 'Order not found' },
  REPLAY_NOT_FOUND: { status: 404, message: 'Replay not found' },
  SETUP_NOT_FOUND: { status: 404, message: 'No source of this name is set up by a token' },
  DESTINATION_NOT_FOUND: { status: 404, message: 'Destination not found' },
  SERVICE_NOT_FOUND: { status: 404, message: 'Service not found' },
  METHOD_NOT_SUPPORTED: { status: 405, message: 'Request method is not supported' },
  USER_EXISTS: { status: 409, message: 'User already exists' },
  PASSKEY_LIMIT_REACHED: { status: 409, message: 'The account has as many passkeys as it may have' },
  EVENT_NOT_FAILED: { status: 409, message: 'Webhook event is not FAILED' },
  EVENT_NOT_HELD: { status: 409, message: 'Webhook event is not held' },
  EVENT_HELD: { status: 409, message: 'Webhook event is held: release it first' },
  DELIVERY_UNDER_WAY: { status: 409, message: 'Delivery is under way' },
  EVENT_UNDER_WAY: { status: 409, message: 'Webhook event is under way' },
  PAYLOAD_MISSING: { status: 409, message: 'The payload of the webhook event was deleted' },
  REPLAY_EXISTS: { status: 409, message: 'Replay already exists with another content' },
  PAYLOAD_DELETED: { status: 410, message: 'Payload deleted' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'Payload too large' },
  /** Something of the body has to be read, and no body is ever decoded. */
  CODING_UNSUPPORTED: { status: 415, message: 'Content coding is not supported' },
  MEDIA_TYPE_UNSUPPORTED: { status: 415, message: 'Content type is not supported' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests' },
  RATE_LIMIT_EXCEEDED: { status: 429, message: 'Rate limit exceeded' },
  HEADERS_TOO_LARGE: { status: 431, message: 'Request headers too large' },
  PROCESSING_FAILED: { status: 500, message: 'Processing failed' },
  UNEXPECTED: { status: 500, message: 'An unexpected error occurred' },
  UNAVAILABLE: { status: 503, message: 'Service temporarily unavailable' },
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

/** What was not accepted, and what is: `Bearer`, `Basic`, `Ticket`, `session`, `X-Api-Key`. */
interface NotAccepted {
  readonly reason: string
  readonly accepted: readonly string[]
}

interface Later {
  readonly retryAfterSeconds: number
}

/** The codes that say more than their text, and their details. */
export interface ErrorDetails {
  VALIDATION_FAILED: { readonly validationErrors: readonly ValidationError[] }
  SESSION_REQUIRED: NotAccepted
  SCHEME_NOT_ACCEPTED: NotAccepted
  TOKEN_NOT_ACCEPTED: NotAccepted
  TOKEN_MISPLACED: { readonly reason: string }
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
  LOGIN_TOO_OLD: { readonly reason: string; readonly maxAgeSeconds: number; readonly loggedInAt: string | null }
  /** The origin that the call names, null without one, and the setting that would trust it. */
  ORIGIN_NOT_TRUSTED: { readonly origin: string | null; readonly setting: 'TRUSTED_ORIGINS' }
  CSRF_TOKEN_MISSING: { readonly reason: string }
  CSRF_TOKEN_WRONG: { readonly reason: string }
  /** `given` is what the body said it is, at most 128 characters. */
  CODING_UNSUPPORTED: { readonly given: string }
  /** `accept` is what the endpoint takes, for the header. */
  MEDIA_TYPE_UNSUPPORTED: { readonly given: string | null; readonly accept: string }
  TOO_MANY_REQUESTS: Later
  RATE_LIMIT_EXCEEDED: Later
  /** The address of webhooks that the path differs from by its spelling. */
  ENDPOINT_NOT_FOUND: { readonly meant: string } | undefined
  METHOD_NOT_SUPPORTED: { readonly requestMethod: string; readonly supportedMethods: readonly string[] }
  /** `reason` is safe to show: it comes from our own rules, never from a library or a store. */
  PROCESSING_FAILED: { readonly reason: string }
}

type DetailsOf<C extends ErrorCode> = C extends keyof ErrorDetails ? ErrorDetails[C] : undefined
type DetailsArgument<C extends ErrorCode> =
  undefined extends DetailsOf<C> ? [details?: DetailsOf<C>] : [details: DetailsOf<C>]

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

  get status(): ErrorSpec['status'] {
    return CATALOG[this.code].status
  }

  /** The category, `error` in a body (http-19). */
  get category(): string {
    return CATEGORIES[this.status]
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
