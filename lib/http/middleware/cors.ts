import type { HttpEvent, Reply } from '../message.ts'
import { methodsOf } from '../routing.ts'

/** What else than safelisted headers a page may send. A key of a machine is none of a page's headers. */
const SENT = 'Authorization, Content-Type, X-XSRF-TOKEN'

/** What else than safelisted headers a page may read. */
const READ = 'Location, Retry-After, WWW-Authenticate'

/** In seconds; no browser keeps a preflight's answer for longer than a day, Chromium for no more than this. */
const MAXIMUM_AGE = '7200'

/** Servers send webhooks, pages do not. */
const WEBHOOKS = '/webhooks/'

/** Lets the page of a trusted origin read an answer (Fetch standard, "CORS protocol"); any other answer stays as it is. */
export function readableByPage(reply: Reply, event: HttpEvent, trustedOrigins: readonly string[]): Reply {
  const origin = pageOrigin(event, trustedOrigins)
  if (origin === undefined) return reply
  const headers = {
    ...reply.headers,
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': READ,
  }
  return { ...reply, headers }
}

/**
 * The answer to the question whether a page of a trusted origin may send a request, undefined for any other request. A
 * path without an endpoint has no methods; the page may ask for it all the same, and then reads the 404.
 */
export function preflightReply(
  event: HttpEvent,
  trustedOrigins: readonly string[],
  profile: string,
): Reply | undefined {
  const isPreflight =
    event.requestContext.http.method === 'OPTIONS' && event.headers['access-control-request-method'] !== undefined
  if (!isPreflight || pageOrigin(event, trustedOrigins) === undefined) return undefined
  const methods = methodsOf(event.rawPath, profile).join(', ')
  const headers = {
    ...(methods !== '' && { 'access-control-allow-methods': methods }),
    'access-control-allow-headers': SENT,
    'access-control-max-age': MAXIMUM_AGE,
    vary: 'Access-Control-Request-Method',
  }
  return { statusCode: 204, headers }
}

/** The trusted origin of the page that sent a request. */
function pageOrigin({ headers, rawPath }: HttpEvent, trustedOrigins: readonly string[]): string | undefined {
  const { origin } = headers
  return origin !== undefined && trustedOrigins.includes(origin) && !rawPath.startsWith(WEBHOOKS) ? origin : undefined
}
