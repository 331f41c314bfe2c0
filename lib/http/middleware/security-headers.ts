import { type HttpEvent, JSON_TYPE, type Reply } from '../message.ts'
import { methodsOf, routesAt } from '../routing.ts'
import type { Call, EndpointContext, Middleware } from './call.ts'

/** On every answer, unless its own headers say otherwise. */
export const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
  'x-xss-protection': '0',
} as const

/** On every answer of a service that is reached over https. */
export const OVER_HTTPS = { ...ALWAYS, 'strict-transport-security': 'max-age=31536000; includeSubDomains' } as const

/**
 * Returns the writer that adds the constant headers to an answer (http-35).
 * @param vary a request header that decides on headers of every answer (RFC 9110 section 12.5.5)
 */
export function constantHeaders({ protocol }: URL, vary?: string): (reply: Reply) => Reply {
  const constant = { ...(protocol === 'https:' ? OVER_HTTPS : ALWAYS), ...(vary !== undefined && { vary }) }
  const ofJson = { ...constant, ...JSON_TYPE }
  const onto = (headers: Reply['headers']) => (headers === JSON_TYPE ? ofJson : { ...constant, ...headers })
  const write = (reply: Reply) => ({ ...reply, headers: onto(reply.headers) })
  if (vary === undefined) return write
  return (reply) => (reply.headers['vary'] === undefined ? write(reply) : write(withVary(reply, vary)))
}

type Answering = Pick<EndpointContext, 'baseUrl' | 'trustedOrigins'>

/** The writer of the headers of every answer: the constant ones, and those that let a trusted page read it. */
export function answerHeaders({ baseUrl, trustedOrigins }: Answering): (reply: Reply, event: HttpEvent) => Reply {
  if (trustedOrigins.length === 0) return constantHeaders(baseUrl)
  const constant = constantHeaders(baseUrl, 'Origin')
  return (reply, event) => readableByPage(constant(reply), event, trustedOrigins)
}

/** Adds the headers of every answer, also to that of a failure. */
export function securityHeaders(app: Answering): Middleware {
  const written = answerHeaders(app)
  const add = (call: Call) => {
    if (call.response) call.response = written(call.response, call.event)
  }
  return { after: add, onError: add }
}

function withVary(reply: Reply, name: string): Reply {
  return { ...reply, headers: { ...reply.headers, vary: `${reply.headers['vary']}, ${name}` } }
}

/** What else than safelisted headers a page may send; where a key is taken, also that. */
const ALLOWED_HEADERS = 'Authorization, Content-Type, Traceparent, X-XSRF-TOKEN'

/** What else than safelisted headers a page may read. */
const EXPOSED_HEADERS = 'Location, Retry-After, WWW-Authenticate'

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
    'access-control-expose-headers': EXPOSED_HEADERS,
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
  const { rawPath } = event
  const methods = methodsOf(rawPath, profile).join(', ')
  const takesKeys = routesAt(rawPath).some(({ credentials }) => credentials === 'any-or-key')
  const headers = {
    ...(methods !== '' && { 'access-control-allow-methods': methods }),
    'access-control-allow-headers': takesKeys ? `${ALLOWED_HEADERS}, X-Api-Key` : ALLOWED_HEADERS,
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
