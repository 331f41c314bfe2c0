import { Buffer } from 'node:buffer'
import { KEY_HEADER, onlyAuthorization, presentedKey, readAuthorization } from '../../auth/authorization.ts'
import type { Principal } from '../../auth/principal.ts'
import { PROFILES, type Profile } from '../../auth/profile.ts'
import { type Credentials, isOperators, type Route } from '../../contract/route.ts'
import { fail } from '../../errors.ts'
import { fromUtf8 } from '../../runtime/text.ts'
import { cookiesOf, SESSION_COOKIE } from '../cookies.ts'
import { addressOf, type HttpEvent, type Trust } from '../message.ts'
import { beforeDeadline, type Middleware } from './call.ts'

type Checked = Principal | Promise<Principal>

export interface BasicCredentials {
  readonly username: string
  readonly password: string
  /** Client address, for brute-force throttling. */
  readonly address: string
}

/** How each accepted kind of credentials is checked; a kind without a check counts as no credentials. */
export interface Checks {
  /** @throws ServiceError `TOKEN_INVALID`, `TOKEN_EXPIRED` */
  readonly bearer?: ((token: string) => Checked) | undefined
  /** @throws ServiceError `BAD_CREDENTIALS`, `TOO_MANY_REQUESTS`, `UNAVAILABLE` */
  readonly basic?: ((credentials: BasicCredentials) => Promise<Principal>) | undefined
  readonly session?: ((id: string) => Promise<Principal | undefined>) | undefined
  /** @throws ServiceError `API_KEY_INVALID`, `UNAVAILABLE` */
  readonly key?: ((text: string) => Promise<Principal>) | undefined
}

type Kind = keyof Checks

const ACCEPTED: Readonly<Record<Credentials, readonly Kind[]>> = {
  any: ['bearer', 'basic', 'session'],
  'any-or-key': ['bearer', 'basic', 'session', 'key'],
  database: ['basic'],
  directory: ['basic'],
  session: ['session'],
}

/** The kinds that count at an endpoint. */
export function accepts(checks: Checks, credentials: Credentials = 'any'): readonly Kind[] {
  return ACCEPTED[credentials].filter((kind) => checks[kind] !== undefined)
}

/** Whether a session counts as credentials at an endpoint. */
export function takesSession(credentials: Credentials = 'any'): boolean {
  return ACCEPTED[credentials].includes('session')
}

export interface Accepting {
  readonly checks?: Checks
  /** False where operators' endpoints take no HTTP Basic. */
  readonly isBasicForOperators?: boolean
}

/** The checks that count at an endpoint. */
export function checksAt(route: Route, { checks = {}, isBasicForOperators }: Accepting): Checks {
  return isBasicForOperators === false && isOperators(route) ? { ...checks, basic: undefined } : checks
}

/**
 * Leaves the owner of the credentials on the context.
 * @throws ServiceError why there is none (http-22), also for a session that is over; what the checks throw
 */
export function authenticate(route: Route, app: Trust & Accepting & { readonly profile: string }): Middleware {
  const { credentials } = route
  const checks = checksAt(route, app)
  const kinds = accepts(checks, credentials)
  const takesTokens = PROFILES[app.profile as Profile].bearer

  async function refuse({ headers, cookies, rawQueryString: query }: HttpEvent): Promise<never> {
    const { withoutCredentials } = await import('../../auth/without-credentials.ts')
    const brought = { headers: { ...headers, ...(cookies && { cookie: cookies.join(';') }) }, query }
    throw withoutCredentials(brought, { kinds, takesTokens, takesOnlySessions: credentials === 'session' })
  }

  return {
    before({ event, context }) {
      const found = findCredentials(event, checks, credentials)
      const owner = found && check(found, checks, () => addressOf(event, app))
      const keep = (principal: Principal | undefined) => {
        context.principal = principal
        return principal === undefined ? refuse(event) : undefined
      }
      return owner instanceof Promise ? beforeDeadline(owner.then(keep), context) : keep(owner)
    },
  }
}

interface Found {
  readonly kind: Kind
  readonly text: string
}

/**
 * The credentials of a request that count at an endpoint: an API key that is accepted there, else the `Authorization`
 * header, else the session's cookie. An endpoint of sessions alone looks at nothing else.
 * @throws ServiceError `VALIDATION_FAILED` for more than one `Authorization`, more than one key, or both
 */
export function findCredentials(event: HttpEvent, checks: Checks, credentials: Credentials = 'any'): Found | undefined {
  const authorization = event.headers['authorization'] || undefined
  const accepted = accepts(checks, credentials)
  const key = accepted.includes('key') ? fromKeyHeader(event, authorization !== undefined) : undefined
  if (key) return key
  const given = authorization === undefined ? undefined : fromAuthorization(authorization)
  const found = authorization === undefined || credentials === 'session' ? fromCookie(event) : given
  return found && accepted.includes(found.kind) ? found : undefined
}

function fromKeyHeader({ headers }: HttpEvent, isBesideOthers: boolean): Found | undefined {
  const given = headers[KEY_HEADER]
  const text = given === undefined ? undefined : presentedKey([given], isBesideOthers)
  return text === undefined ? undefined : { kind: 'key', text }
}

function fromCookie(event: HttpEvent): Found | undefined {
  const id = cookiesOf(event).get(SESSION_COOKIE)
  return id === undefined ? undefined : { kind: 'session', text: id }
}

function fromAuthorization(authorization: string): Found | undefined {
  const { scheme, credentials } = readAuthorization(onlyAuthorization(authorization))
  return scheme === 'bearer' || scheme === 'basic' ? { kind: scheme, text: credentials } : undefined
}

/**
 * Has found credentials checked; undefined for a session that is over.
 * @param addressOf where the caller is, asked only when it matters
 * @throws ServiceError as the check does
 */
export function check(
  { kind, text }: Found,
  checks: Checks,
  addressOf: () => string,
): Checked | Promise<Principal | undefined> | undefined {
  if (kind === 'basic') return checks.basic?.({ ...readBasic(text), address: addressOf() })
  return checks[kind]?.(text)
}

/** RFC 7617 section 2: `username:password` in Base64, the text in UTF-8. */
function readBasic(text: string): { username: string; password: string } {
  const decoded = decodeBase64(text)
  const colon = decoded?.indexOf(':') ?? -1
  if (decoded === undefined || colon < 0) {
    throw fail('BAD_CREDENTIALS', { authType: 'Basic Authentication', reason: 'Bad credentials' })
  }
  return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) }
}

function decodeBase64(text: string): string | undefined {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? fromUtf8(Buffer.from(text, 'base64')) : undefined
}
