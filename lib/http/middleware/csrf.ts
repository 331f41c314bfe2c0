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
 * token by itself; with one, the session is ignored. Refuses with `CSRF_REFUSED`.
 */
export function csrf(route: Route, { baseUrl, trustedOrigins, checks, findSession }: CsrfParts): Middleware {
  if (route.access === 'signature' || isSafe(route.method)) return {}
  return {
    before({ event, context }) {
      if (isSafe(event.requestContext.http.method)) return
      const provenance = { secFetchSite: event.headers['sec-fetch-site'], origin: event.headers['origin'] }
      if (!isOriginAllowed(provenance, baseUrl.origin, trustedOrigins)) throw fail('CSRF_REFUSED')
      const id = cookiesOf(event).get(SESSION_COOKIE)
      const isBearer = checks !== undefined && findCredentials(event, checks, route.credentials)?.kind === 'bearer'
      if (id === undefined || isBearer || !findSession) return
      return beforeDeadline(checkToken(event, id, findSession), context)
    },
  }
}

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
  const token = event.headers['x-xsrf-token'] ?? formField(event, '_csrf') ?? ''
  if (!isCsrfToken(token, id)) throw fail('CSRF_REFUSED')
}
