import { JSON_TYPE, type Reply } from './message.ts'

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
export function securityHeaders({ protocol }: URL, vary?: string): (reply: Reply) => Reply {
  const constant = { ...(protocol === 'https:' ? OVER_HTTPS : ALWAYS), ...(vary !== undefined && { vary }) }
  const ofJson = { ...constant, ...JSON_TYPE }
  const onto = (headers: Reply['headers']) => (headers === JSON_TYPE ? ofJson : { ...constant, ...headers })
  const write = (reply: Reply) => ({ ...reply, headers: onto(reply.headers) })
  if (vary === undefined) return write
  return (reply) => (reply.headers['vary'] === undefined ? write(reply) : write(withVary(reply, vary)))
}

function withVary(reply: Reply, name: string): Reply {
  return { ...reply, headers: { ...reply.headers, vary: `${reply.headers['vary']}, ${name}` } }
}
