import { fail, type ServiceError } from '../errors.ts'
import { KEY_HEADER } from './authorization.ts'

/** What a call brings. */
export interface Brought {
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>
  /** As it was sent, where there is one. */
  readonly query?: string | undefined
}

/** Three parts, of which the first begins a JSON object. */
const JWT = /(?:^|[^\w.-])eyJ[\w-]+\.[\w-]+\./

const NAMES = { bearer: 'Bearer', basic: 'Basic', session: 'session', key: 'X-Api-Key', ticket: 'Ticket' } as const

/** What the place takes that is called. */
interface Taken {
  readonly kinds: readonly (keyof typeof NAMES)[]
  /** Whether the profile takes bearer tokens. */
  readonly takesTokens: boolean
  readonly takesOnlySessions?: boolean
}

/**
 * Why a call is one without credentials (http-22): with a scheme that is not accepted, a token where none is read, or
 * nothing. It repeats no value.
 */
export function withoutCredentials(
  { headers, query = '' }: Brought,
  { kinds, takesTokens, takesOnlySessions }: Taken,
): ServiceError {
  const accepted = kinds.map((kind) => NAMES[kind])
  if (takesOnlySessions) return fail('SESSION_REQUIRED', { reason: ONLY_SESSIONS, accepted })
  const scheme = schemeIn(headers)
  if (scheme === 'Bearer' && !takesTokens) return fail('TOKEN_NOT_ACCEPTED', { reason: TOKENLESS, accepted })
  if (scheme !== undefined) return fail('SCHEME_NOT_ACCEPTED', { reason: `${scheme} is not accepted here`, accepted })
  const [name] = Object.entries(headers).find(([, value]) => JWT.test(String(value))) ?? []
  const place = JWT.test(query) ? 'the query' : name === 'cookie' ? 'a cookie' : name && `the header ${name}`
  if (place === undefined) return fail('AUTHENTICATION_REQUIRED')
  return fail('TOKEN_MISPLACED', { reason: `A token counts in the Authorization header only; one came in ${place}` })
}

const ONLY_SESSIONS = 'This endpoint takes the session of a login: log in at /login'
const TOKENLESS = 'This profile takes no bearer tokens over HTTP'

/** The scheme by which a call wants to be known; one that may be a secret without a scheme has no name. */
function schemeIn({ authorization, [KEY_HEADER]: key }: Brought['headers']): string | undefined {
  if (!authorization) return key === undefined ? undefined : 'X-Api-Key'
  const [, scheme] = /^ *([a-z][\w-]{0,19}) /i.exec(String(authorization)) ?? []
  return scheme?.toLowerCase() === 'bearer' ? 'Bearer' : (scheme ?? 'This Authorization')
}
