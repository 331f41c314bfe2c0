import { isCsrfToken, isOriginAllowed, isSafe } from '../../auth/csrf.ts'
import type { Session } from '../../auth/session.ts'
import type { Route } from '../../contract/route.ts'
import { fail } from '../../errors.ts'
import { cookiesOf, SESSION_COOKIE } from '../cookies.ts'
import { formField } from '../form.ts'
import type { HttpEvent } from '../message.ts'
import { type Checks, findCredentials } from './authenticate.ts'
import { beforeDeadline, type Middleware } from './call.ts'

/** Finds a session that is not over. */
export type FindSession = (id: string) => Promise<Session | undefined>

export interface CsrfParts {
  readonly baseUrl: URL
  readonly trustedOrigins: readonly string[]
  readonly checks?: Checks
  readonly findSession?: FindSession
}

/**
 * The first step of the chain (auth-62). A request that changes something must come from our own page, or from no
 * browser at all. With the cookie of a live session it also needs the token of that session. No browser sends a bearer
 * token or a key by itself: with a token the session is ignored, and with either and no session the origin does not
 * matter. Refuses with `ORIGIN_NOT_TRUSTED`, `CSRF_TOKEN_MISSING`, `CSRF_TOKEN_WRONG`.
 */
export function csrf(route: Route, { baseUrl, trustedOrigins, checks, findSession }: CsrfParts): Middleware {
  if (route.access === 'signature' || isSafe(route.method)) return {}
  const kindOf = (event: HttpEvent) => checks && findCredentials(event, checks, route.credentials)?.kind

  function demandOrigin(event: HttpEvent, isInSession: boolean): void {
    const { origin, 'sec-fetch-site': secFetchSite } = event.headers
    if (isOriginAllowed({ secFetchSite, origin }, baseUrl.origin, trustedOrigins)) return
    const kind = isInSession ? undefined : kindOf(event)
    if (kind === 'bearer' || kind === 'key') return
    throw fail('ORIGIN_NOT_TRUSTED', { origin: origin?.slice(0, LONGEST_ORIGIN) ?? null, setting: 'TRUSTED_ORIGINS' })
  }

  return {
    before({ event, context }) {
      if (isSafe(event.requestContext.http.method)) return
      const id = cookiesOf(event).get(SESSION_COOKIE)
      demandOrigin(event, id !== undefined)
      if (id === undefined || !findSession || kindOf(event) === 'bearer') return
      return beforeDeadline(checkToken(event, id, findSession), context)
    },
  }
}

/** An origin has a scheme, a name and a port. */
const LONGEST_ORIGIN = 256

/**
 * Prevents a page of another site from starting a login by an image, a frame or a script: only a navigation that a
 * person started has `Sec-Fetch-User` (W3C Fetch Metadata). A browser that sends neither header is accepted.
 * @throws ServiceError `CROSS_SITE_LOGIN`
 */
export function refuseForcedLogin({ headers }: Pick<HttpEvent, 'headers'>): void {
  const isForced = headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-user'] !== '?1'
  if (isForced) throw fail('CROSS_SITE_LOGIN')
}

async function checkToken(event: HttpEvent, id: string, find: FindSession): Promise<void> {
  if ((await find(id)) === undefined) return
  const token = event.headers['x-xsrf-token'] ?? formField(event, '_csrf')
  if (!token) throw fail('CSRF_TOKEN_MISSING', { reason: `The call carries a ${COOKIE} and no CSRF token` })
  if (!isCsrfToken(token, id)) throw fail('CSRF_TOKEN_WRONG', { reason: `The CSRF token is not that of the ${COOKIE}` })
}

const COOKIE = 'session cookie (JSESSIONID)'
