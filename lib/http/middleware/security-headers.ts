import { type HttpEvent, JSON_TYPE, type Reply } from '../message.ts'
import type { Call, EndpointContext, Middleware } from './call.ts'
import { readableByPage } from './cors.ts'

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
