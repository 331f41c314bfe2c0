import { Buffer } from 'node:buffer'
import { create, toBinary } from '@bufbuild/protobuf'
import { anyPack, durationFromMs } from '@bufbuild/protobuf/wkt'
import { status as Code, Metadata, type StatusObject } from '@grpc/grpc-js'
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from '../../proto/gen/google/rpc/error_details_pb.ts'
import { StatusSchema } from '../../proto/gen/google/rpc/status_pb.ts'
import { type ErrorCode, type ServiceError, serviceErrorOf } from '../errors.ts'
import { noteRefusal } from '../runtime/limits.ts'
import type { Log } from '../runtime/log.ts'
import type { Metrics } from '../runtime/metrics.ts'

/** The gRPC code of each failure of the catalog: https://grpc.io/docs/guides/status-codes/. */
const CODES = {
  VALIDATION_FAILED: Code.INVALID_ARGUMENT,
  TIMESTAMP_OUTSIDE_WINDOW: Code.INVALID_ARGUMENT,
  SIGNATURE_REJECTED: Code.INVALID_ARGUMENT,
  SIGNATURE_INVALID: Code.UNAUTHENTICATED,
  SIGNATURE_INVALID_BARE: Code.UNAUTHENTICATED,
  AUTHENTICATION_REQUIRED: Code.UNAUTHENTICATED,
  SESSION_REQUIRED: Code.UNAUTHENTICATED,
  SCHEME_NOT_ACCEPTED: Code.UNAUTHENTICATED,
  TOKEN_NOT_ACCEPTED: Code.UNAUTHENTICATED,
  TOKEN_MISPLACED: Code.UNAUTHENTICATED,
  TOKEN_INVALID: Code.UNAUTHENTICATED,
  TOKEN_EXPIRED: Code.UNAUTHENTICATED,
  BAD_CREDENTIALS: Code.UNAUTHENTICATED,
  API_KEY_INVALID: Code.UNAUTHENTICATED,
  TICKET_INVALID: Code.UNAUTHENTICATED,
  ROLE_REQUIRED: Code.PERMISSION_DENIED,
  KEY_OUT_OF_SCOPE: Code.PERMISSION_DENIED,
  LOGIN_TOO_OLD: Code.PERMISSION_DENIED,
  METHOD_ACCESS_DENIED: Code.PERMISSION_DENIED,
  PASSWORD_ELSEWHERE: Code.PERMISSION_DENIED,
  PASSKEYS_ELSEWHERE: Code.PERMISSION_DENIED,
  KEYS_ELSEWHERE: Code.PERMISSION_DENIED,
  CROSS_SITE_LOGIN: Code.PERMISSION_DENIED,
  ORIGIN_NOT_TRUSTED: Code.PERMISSION_DENIED,
  CSRF_TOKEN_MISSING: Code.PERMISSION_DENIED,
  CSRF_TOKEN_WRONG: Code.PERMISSION_DENIED,
  DESTINATION_CLOSED: Code.PERMISSION_DENIED,
  ENDPOINT_NOT_FOUND: Code.UNIMPLEMENTED,
  USER_NOT_FOUND: Code.NOT_FOUND,
  SESSION_NOT_FOUND: Code.NOT_FOUND,
  PASSKEY_NOT_FOUND: Code.NOT_FOUND,
  KEY_NOT_FOUND: Code.NOT_FOUND,
  EVENT_NOT_FOUND: Code.NOT_FOUND,
  LOGIN_STEPS_NOT_FOUND: Code.NOT_FOUND,
  PAYMENT_NOT_FOUND: Code.NOT_FOUND,
  ORDER_NOT_FOUND: Code.NOT_FOUND,
  PASSKEY_LIMIT_REACHED: Code.FAILED_PRECONDITION,
  EVENT_NOT_FAILED: Code.FAILED_PRECONDITION,
  EVENT_NOT_HELD: Code.FAILED_PRECONDITION,
  EVENT_HELD: Code.FAILED_PRECONDITION,
  REPLAY_NOT_FOUND: Code.NOT_FOUND,
  EVENT_UNDER_WAY: Code.FAILED_PRECONDITION,
  PAYLOAD_DELETED: Code.FAILED_PRECONDITION,
  PAYLOAD_MISSING: Code.FAILED_PRECONDITION,
  REPLAY_EXISTS: Code.ALREADY_EXISTS,
  SETUP_NOT_FOUND: Code.NOT_FOUND,
  DESTINATION_NOT_FOUND: Code.NOT_FOUND,
  DELIVERY_UNDER_WAY: Code.FAILED_PRECONDITION,
  SERVICE_NOT_FOUND: Code.NOT_FOUND,
  METHOD_NOT_SUPPORTED: Code.UNIMPLEMENTED,
  USER_EXISTS: Code.ALREADY_EXISTS,
  PAYLOAD_TOO_LARGE: Code.RESOURCE_EXHAUSTED,
  CODING_UNSUPPORTED: Code.INVALID_ARGUMENT,
  MEDIA_TYPE_UNSUPPORTED: Code.INVALID_ARGUMENT,
  TOO_MANY_REQUESTS: Code.RESOURCE_EXHAUSTED,
  RATE_LIMIT_EXCEEDED: Code.RESOURCE_EXHAUSTED,
  NOT_BY_DOMAIN: Code.PERMISSION_DENIED,
  HEADERS_TOO_LARGE: Code.RESOURCE_EXHAUSTED,
  PROCESSING_FAILED: Code.INTERNAL,
  UNEXPECTED: Code.INTERNAL,
  UNAVAILABLE: Code.UNAVAILABLE,
} as const satisfies Record<ErrorCode, Code>

const DOMAIN = 'gatehouse'

/** The pause before a caller may retry after UNAVAILABLE, in milliseconds. */
const RETRY_AFTER_MS = 5000

/** RFC 6750 section 3. */
const CHALLENGE = 'Bearer realm="API"'

/** The end of a call that failed: code and text, and google.rpc.Status with the details (https://aip.dev/193). */
export function statusOf(error: ServiceError): StatusObject {
  const code = CODES[error.code]
  const rich = create(StatusSchema, { code, message: error.message, details: detailsOf(error) })
  const metadata = new Metadata()
  metadata.set('grpc-status-details-bin', Buffer.from(toBinary(StatusSchema, rich)))
  // Plain text for callers that do not read google.rpc.Status.
  const isBadToken = error.is('TOKEN_INVALID') || error.is('TOKEN_EXPIRED')
  if (error.status === 401)
    metadata.set('www-authenticate', isBadToken ? `${CHALLENGE}, error="invalid_token"` : CHALLENGE)
  const tokenStatus = tokenStatusOf(error)
  if (tokenStatus !== undefined) metadata.set('token-status', tokenStatus)
  return { code, details: error.message, metadata }
}

function detailsOf(error: ServiceError) {
  const info = create(ErrorInfoSchema, { reason: reasonOf(error), domain: DOMAIN, metadata: factsOf(error) })
  return [anyPack(ErrorInfoSchema, info), ...violationsOf(error), ...retryOf(error)]
}

/** The reason by which callers distinguish failures: the catalog's code, or the status of a bad or missing token. */
function reasonOf(error: ServiceError): string {
  const tokenStatus = tokenStatusOf(error)
  return tokenStatus === undefined ? error.code : `TOKEN_${tokenStatus}`
}

function tokenStatusOf(error: ServiceError): string | undefined {
  if (error.is('AUTHENTICATION_REQUIRED')) return 'MISSING'
  return error.is('TOKEN_INVALID') || error.is('TOKEN_EXPIRED') ? error.details.tokenStatus : undefined
}

/** The details that fit into one line of text; several roles are joined by commas. */
function factsOf(error: ServiceError): Record<string, string> {
  if (error.is('VALIDATION_FAILED')) return {}
  if (error.is('AUTHENTICATION_REQUIRED')) return { tokenStatus: 'MISSING' }
  return Object.fromEntries(Object.entries(error.details ?? {}).map(([name, value]) => [name, String(value)]))
}

function violationsOf(error: ServiceError) {
  if (!error.is('VALIDATION_FAILED')) return []
  const fieldViolations = error.details.validationErrors.map(({ field, message }) => ({ field, description: message }))
  return [anyPack(BadRequestSchema, create(BadRequestSchema, { fieldViolations }))]
}

function retryOf(error: ServiceError) {
  if (!error.is('UNAVAILABLE')) return []
  return [anyPack(RetryInfoSchema, create(RetryInfoSchema, { retryDelay: durationFromMs(RETRY_AFTER_MS) }))]
}

/** Turns a thrown error of a call into its status, logs and counts it. */
export type Refuse = (thrown: unknown, path: string) => StatusObject

export function refusals(log: Log, metrics: Pick<Metrics, 'count'>): Refuse {
  return (thrown, path) => {
    const error = serviceErrorOf(thrown)
    noteRefusal({ log, metrics }, 'grpc', 'call refused', error, { path })
    return statusOf(error)
  }
}
