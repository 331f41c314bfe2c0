import { fail } from '../errors.ts'
import type { VerifiedToken } from './claims.ts'
import type { Principal } from './principal.ts'
import type { Tokens } from './token.ts'

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

/** The check of a bearer token: the principal that it names (auth-34, auth-35). */
export function bearerCheck(tokens: Pick<Tokens, 'verify'>): (token: string) => Principal | Promise<Principal> {
  return (token) => {
    const verified = tokens.verify(token)
    return verified instanceof Promise ? verified.then(toPrincipal) : toPrincipal(verified)
  }
}

function toPrincipal({ username, uid, role, issuedAt, expiresAt }: VerifiedToken): Principal {
  const times = { tokenIssuedAt: issuedAt, tokenExpiresAt: expiresAt }
  return { username, uid, roles: [role], authType: 'JWT', principalType: 'JwtUser', ...times }
}
