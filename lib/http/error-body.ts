import { errorShape, isTooMany } from '../contract/error-shape.ts'
import type { ErrorFormat } from '../contract/route.ts'
import { CATALOG, type ErrorCode, rulesIn, type ServiceError } from '../errors.ts'
import { toLocalDateTime } from '../runtime/time.ts'
import { JSON_TYPE, type Reply, TEXT_TYPE } from './message.ts'

/** Seconds after which a caller may try again what was unavailable. */
const RETRY_AFTER = '5'

/** RFC 7617 section 2.1. */
const BASIC = 'Basic realm="API", charset="UTF-8"'
const BEARER = 'Bearer realm="API"'

interface Circumstances {
  readonly path: string
  readonly now: Date
  /** Whether the caller may answer with a name and a password (http-25). */
  readonly offersBasic?: boolean | undefined
}

type Renderer = (error: ServiceError, circumstances: Circumstances) => Reply

const RENDERERS: Record<ErrorFormat, Renderer> = {
  api: (error, { path, now, offersBasic }) => ({
    statusCode: error.status,
    headers: { ...JSON_TYPE, ...headersOf(error), ...challengeOf(error, offersBasic) },
    body: JSON.stringify(errorShape(error, { path, now })),
  }),
  webhook: (error, { now }) => ({
    statusCode: error.status,
    headers: { ...JSON_TYPE, ...headersOf(error) },
    body: webhookBody(webhookText(error), now),
  }),
  text: (error) => ({
    statusCode: error.status,
    headers: { ...TEXT_TYPE, ...headersOf(error) },
    body: plainBody(error),
  }),
}

/** The answer to a failure, in the shape that the endpoint promises (http-17, webhooks-37, webhooks-38). */
export function errorReply(format: ErrorFormat, error: ServiceError, circumstances: Circumstances): Reply {
  return RENDERERS[format](error, circumstances)
}

/** The JSON in which an endpoint of webhooks refuses (webhooks-37). */
export function webhookBody(message: string, now: Date): string {
  return JSON.stringify({ success: false, message, timestamp: toLocalDateTime(now) })
}

function headersOf(error: ServiceError): Record<string, string> {
  if (error.is('UNAVAILABLE')) return { 'retry-after': RETRY_AFTER }
  // RFC 9110, section 15.5.16.
  if (error.is('CODING_UNSUPPORTED')) return { 'accept-encoding': 'identity' }
  if (error.is('MEDIA_TYPE_UNSUPPORTED')) return { accept: error.details.accept }
  if (isTooMany(error)) return { 'retry-after': String(error.details.retryAfterSeconds) }
  if (error.is('METHOD_NOT_SUPPORTED')) return { allow: error.details.supportedMethods.join(', ') }
  return {}
}

/**
 * The challenge of a 401 of the API (http-25). A function can send a header once: Basic stands first in it, because
 * Java's HttpClient and Perl's LWP answer no other form; what stands before the service writes two (`challengesIn`).
 */
function challengeOf(error: ServiceError, offersBasic = false): Record<string, string> {
  if (error.status !== 401) return {}
  return { 'www-authenticate': challengeFor(error, offersBasic) }
}

function challengeFor(error: ServiceError, offersBasic: boolean): string {
  // RFC 6750 section 3.
  if (error.is('TOKEN_INVALID') || error.is('TOKEN_EXPIRED')) return `${BEARER}, error="invalid_token"`
  if (offersBasic && error.is('BAD_CREDENTIALS') && error.details.authType === 'Basic Authentication') return BASIC
  // For want of credentials, whatever the cause.
  const isMended = error.message === CATALOG.AUTHENTICATION_REQUIRED.message
  return offersBasic && isMended ? `${BASIC}, ${BEARER}` : BEARER
}

/** The challenges of a field, as one value each: first that of the specification. */
export function challengesIn(field: string): readonly string[] {
  return field === `${BASIC}, ${BEARER}` ? [BEARER, BASIC] : [field]
}

function plainBody(error: ServiceError): string {
  return error.is('SIGNATURE_INVALID_BARE') ? '' : webhookText(error)
}

function webhookText(error: ServiceError): string {
  if (error.is('PROCESSING_FAILED')) return `Processing failed: ${error.details.reason}`
  if (error.is('UNEXPECTED')) return 'Processing failed: unexpected error'
  return error.is('VALIDATION_FAILED') ? rulesIn(error) : error.message
}

/**
 * Failures that a person meets who follows a link or types an address; others are for the script that made the call.
 */
const STATUSES: readonly number[] = [404, 405, 500, 503]

/** Whether browsers are shown a page for a failure. */
export function hasPage(code: ErrorCode): boolean {
  return code === 'CROSS_SITE_LOGIN' || STATUSES.includes(CATALOG[code].status)
}

/**
 * Whether a request prefers HTML to JSON (RFC 9110 section 12.5.1). A client that takes anything, or both equally, is no
 * browser.
 * @param accept the value of `Accept`
 */
export function prefersHtml(accept = ''): boolean {
  const ranges = new Map(accept.toLowerCase().split(',').map(readRange))
  const qualityOf = (type: string, subtype: string) =>
    ranges.get(`${type}/${subtype}`) ?? ranges.get(`${type}/*`) ?? ranges.get('*/*') ?? 0
  return qualityOf('text', 'html') > qualityOf('application', 'json')
}

const QUALITY = /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/** A media range and its quality; one that is no number says nothing for the range. */
function readRange(text: string): readonly [range: string, quality: number] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))
  if (quality === undefined) return [range, 1]
  return [range, QUALITY.test(quality) ? Number(quality.slice('q='.length)) : 0]
}
