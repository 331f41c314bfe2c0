import { AuthorizationResponseError, ResponseBodyError } from 'openid-client'
import type { CheckName, RefusingCheck } from '../../contract/login-steps.ts'

type Details = Readonly<Record<string, unknown>>

/** The check that made the client library refuse; undefined if the error names none. */
export function refusingCheck(error: unknown): RefusingCheck | undefined {
  if (error instanceof AuthorizationResponseError) return { check: 'answer', got: error.error }
  if (error instanceof ResponseBodyError) return grantCheck(error)
  const details = detailsOf(error)
  const refused = READERS.map((read) => read(details)).find((check) => check !== undefined)
  return refused ?? (codeOf(error) === 'OAUTH_KEY_SELECTION_FAILED' ? { check: 'signature' } : undefined)
}

/** RFC 6749 section 5.2: a wrong code and a wrong verifier have the same error; only its description can differ. */
function grantCheck({ error, error_description: text = '' }: ResponseBodyError): RefusingCheck | undefined {
  if (error !== 'invalid_grant') return undefined
  return { check: /pkce|code_?\s?(?:verifier|challenge)/i.test(text) ? 'pkce' : 'code' }
}

const CLAIMS: ReadonlyMap<unknown, CheckName> = new Map([
  ['exp', 'expiry'],
  ['nbf', 'expiry'],
  ['iss', 'issuer'],
  ['aud', 'audience'],
  ['azp', 'audience'],
  ['nonce', 'nonce'],
])

/** The library uses one error code for many checks; each reader recognizes a check by the members of the details. */
const READERS: readonly ((details: Details) => RefusingCheck | undefined)[] = [
  ({ claim, claims, expected }) => {
    const check = CLAIMS.get(claim)
    return check && { check, expected: textOf(expected), got: claimOf(check, membersOf(claims)[String(claim)]) }
  },
  ({ attribute, body, expected }) =>
    attribute === 'sub'
      ? { check: 'subject', expected: textOf(expected), got: textOf(membersOf(body)['sub']) }
      : undefined,
  ({ parameters, expected }) =>
    parameters instanceof URLSearchParams
      ? { check: 'iss', expected: textOf(expected), got: parameters.get('iss') ?? undefined }
      : undefined,
  ({ header, expected, reason }) =>
    reason === undefined
      ? undefined
      : { check: 'algorithm', expected: textOf(expected), got: textOf(membersOf(header)['alg']) },
  ({ signature }) => (signature instanceof Uint8Array ? { check: 'signature' } : undefined),
]

function claimOf(check: CheckName, value: unknown): string | undefined {
  const isTime = check === 'expiry' && typeof value === 'number' && Math.abs(value) < 1e10
  return isTime ? new Date(value * 1000).toISOString() : textOf(value)
}

/** The library wraps its error in one of its own. */
function detailsOf(error: unknown): Details {
  const inner = error instanceof Error ? error.cause : undefined
  return membersOf(inner instanceof Error ? inner.cause : undefined)
}

function codeOf(error: unknown): unknown {
  return membersOf(error)['code']
}

function membersOf(value: unknown): Details {
  return typeof value === 'object' && value !== null ? (value as Details) : {}
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
