import { Buffer } from 'node:buffer'
import { errorShape, isTooMany } from '../contract/error-shape.ts'
import { type ErrorCode, fail, type ServiceError, serviceErrorOf } from '../errors.ts'
import { type Frame, frame, ProtocolError, VERSIONS, type Violation } from './codec/frame.ts'

/** Where the channel is; what errors name as their path. */
export const PATH = '/ws'

/** RFC 6455 section 7.4.1, and 1013 of the IANA registry. */
export const CLOSE = {
  normal: 1000,
  goingAway: 1001,
  protocolError: 1002,
  policyViolation: 1008,
  tooBig: 1009,
  internalError: 1011,
  tryAgainLater: 1013,
} as const

/** The close code for each refusal; any other is an error of the service. */
export const CLOSE_CODES: Partial<Record<ErrorCode, number>> = {
  VALIDATION_FAILED: CLOSE.protocolError,
  AUTHENTICATION_REQUIRED: CLOSE.policyViolation,
  SCHEME_NOT_ACCEPTED: CLOSE.policyViolation,
  TOKEN_MISPLACED: CLOSE.policyViolation,
  TOKEN_INVALID: CLOSE.policyViolation,
  TOKEN_EXPIRED: CLOSE.policyViolation,
  API_KEY_INVALID: CLOSE.policyViolation,
  TICKET_INVALID: CLOSE.policyViolation,
  ROLE_REQUIRED: CLOSE.policyViolation,
  DESTINATION_CLOSED: CLOSE.policyViolation,
  PAYLOAD_TOO_LARGE: CLOSE.tooBig,
  HEADERS_TOO_LARGE: CLOSE.tooBig,
  TOO_MANY_REQUESTS: CLOSE.tryAgainLater,
  UNAVAILABLE: CLOSE.tryAgainLater,
}

const VIOLATIONS: Readonly<Record<Violation, (message: string) => ServiceError>> = {
  malformed: invalidFrame,
  version: invalidFrame,
  'head-too-large': () => fail('HEADERS_TOO_LARGE'),
  'body-too-large': () => fail('PAYLOAD_TOO_LARGE'),
}

function invalidFrame(message: string): ServiceError {
  return fail('VALIDATION_FAILED', { validationErrors: [{ field: 'frame', message, rejectedValue: null }] })
}

/** RFC 6455 section 5.5.1: a close has 125 bytes, and its code takes two. */
const REASON_BYTES = 123

interface Refusal {
  readonly error: ServiceError
  readonly closeCode: number
  /** The reason in one line that fits into a close frame. */
  readonly reason: string
  readonly frame: Frame
}

interface Circumstances {
  readonly now: Date
  readonly receipt: string | undefined
}

/** The ERROR frame for what was thrown, its body the error shape, and the close code behind it. */
export function refusalOf(thrown: unknown, { now, receipt }: Circumstances): Refusal {
  const error = thrown instanceof ProtocolError ? VIOLATIONS[thrown.violation](thrown.message) : serviceErrorOf(thrown)
  const message = messageOf(error)
  const headers = {
    message,
    'content-type': 'application/json',
    'receipt-id': receipt,
    version:
      thrown instanceof ProtocolError && thrown.violation === 'version' ? VERSIONS.toReversed().join(',') : undefined,
    ...headersOf(error),
  }
  const body = Buffer.from(JSON.stringify(errorShape(error, { path: PATH, now })))
  return {
    error,
    closeCode: CLOSE_CODES[error.code] ?? CLOSE.internalError,
    reason: cut(message),
    frame: frame('ERROR', headers, body),
  }
}

/** Most clients show their users this text alone. */
function messageOf(error: ServiceError): string {
  const [first] = error.is('VALIDATION_FAILED') ? error.details.validationErrors : []
  return first ? `${first.field}: ${first.message}`.replace(/\s+/g, ' ') : error.message
}

/** Cuts no character in two. */
function cut(text: string): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, REASON_BYTES), { stream: true })
}

function headersOf(error: ServiceError): Record<string, string> {
  if (error.is('AUTHENTICATION_REQUIRED')) return { 'token-status': 'MISSING' }
  if (error.is('TOKEN_INVALID')) return { 'token-status': error.details.tokenStatus }
  if (error.is('TOKEN_EXPIRED')) return { 'token-status': 'EXPIRED', 'expired-at': error.details.expiredAt }
  if (isTooMany(error)) return { 'retry-after': String(error.details.retryAfterSeconds) }
  return {}
}
