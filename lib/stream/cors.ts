import type { IncomingMessage } from 'node:http'
import type { Reply } from '../http/message.ts'

/** What else than safelisted headers a page may send. */
const SENT = 'Authorization, Last-Event-ID, X-Api-Key'

/** What else than safelisted headers a page may read. */
const READ = 'Retry-After, WWW-Authenticate'

/** In seconds; as long as Chromium keeps the answer to a preflight. */
const MAXIMUM_AGE = '7200'

export interface Origins {
  readonly baseUrl: URL
  readonly trustedOrigins: readonly string[]
}

/** Lets a page of the service, or of a trusted origin, read an answer. No cookie counts here. */
export function allowOrigin(reply: Reply, { headers: { origin } }: IncomingMessage, origins: Origins): Reply {
  if (!isOurs(origin, origins)) return reply
  const headers = {
    ...reply.headers,
    'access-control-allow-origin': origin,
    'access-control-expose-headers': READ,
  }
  return { ...reply, headers }
}

/** The answer to the question whether such a page may send a request; undefined for any other request. */
export function preflightAnswer({ method, headers }: IncomingMessage, allowed: string, origins: Origins) {
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
  if (!isPreflight || !isOurs(headers.origin, origins)) return undefined
  return {
    statusCode: 204,
    headers: {
      'access-control-allow-methods': allowed,
      'access-control-allow-headers': SENT,
      'access-control-max-age': MAXIMUM_AGE,
    },
  } satisfies Reply
}

function isOurs(origin: string | undefined, { baseUrl, trustedOrigins }: Origins): origin is string {
  return origin !== undefined && (origin === baseUrl.origin || trustedOrigins.includes(origin))
}
