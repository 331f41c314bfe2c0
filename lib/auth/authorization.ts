import { fail, type ServiceError } from '../errors.ts'

/** What a value of `Authorization` says. */
interface Authorization {
  /** In lower case: its name knows no case. */
  readonly scheme: string
  /** Empty where nothing follows the scheme. */
  readonly credentials: string
}

const SPACE = 0x20
const TAB = 0x09

/**
 * A scheme, one or more spaces and no other blank, credentials (RFC 9110 section 11.4, RFC 6750 section 2.1): for every
 * channel.
 */
export function readAuthorization(value: string): Authorization {
  const text = withoutBlanks(value)
  const space = text.indexOf(' ')
  if (space < 0) return { scheme: text.toLowerCase(), credentials: '' }
  let start = space + 1
  while (text.charCodeAt(start) === SPACE) start += 1
  return { scheme: text.slice(0, space).toLowerCase(), credentials: text.slice(start) }
}

/**
 * The `Authorization` of an HTTP request.
 * @param value the first one, to which a gateway has joined others with commas (RFC 9110 section 5.3)
 * @param others those that came apart
 * @throws ServiceError `VALIDATION_FAILED` for more than one
 */
export function onlyAuthorization(value: string, others: readonly string[] = []): string {
  const isDoubled = others.length > 0 || (value.includes(',') && /\b(?:bearer|basic)\b/i.test(value))
  if (isDoubled) throw fail('VALIDATION_FAILED', { validationErrors: [DOUBLED] })
  return value
}

const DOUBLED = { field: 'Authorization', message: 'Authorization must be sent once', rejectedValue: null }

/** The token of an `Authorization: Bearer <token>`, which may be empty; undefined for another scheme. */
export function bearerTokenIn(authorization: string): string | undefined {
  const { scheme, credentials } = readAuthorization(authorization)
  return scheme === 'bearer' ? credentials : undefined
}

/** Spaces and tabs around a value are no part of it (RFC 9110 section 5.5). */
export function withoutBlanks(value: string): string {
  let start = 0
  let end = value.length
  while (start < end && isBlank(value.charCodeAt(start))) start += 1
  while (start < end && isBlank(value.charCodeAt(end - 1))) end -= 1
  return start === 0 && end === value.length ? value : value.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB
}

/** The header of HTTP and of a CONNECT frame, and the metadata of gRPC, that carry a key. */
export const KEY_HEADER = 'x-api-key'

/**
 * The key that a call brings, if it does.
 * @param values each value of the header; what came several times may also be joined by commas (RFC 9110 section 5.3)
 * @param isBesideOthers whether the call brings credentials of another kind, too
 * @throws ServiceError `VALIDATION_FAILED` for several keys, or one beside other credentials: none of them is guessed
 */
export function presentedKey(values: readonly string[], isBesideOthers: boolean): string | undefined {
  const [value] = values
  if (value === undefined) return undefined
  if (values.length > 1 || value.includes(',')) throw refused('X-Api-Key must be sent once')
  if (isBesideOthers) throw refused('X-Api-Key must be sent without Authorization')
  return value
}

function refused(message: string): ServiceError {
  return fail('VALIDATION_FAILED', { validationErrors: [{ field: 'X-Api-Key', message, rejectedValue: null }] })
}
