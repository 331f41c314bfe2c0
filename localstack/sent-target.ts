import type { IncomingMessage } from 'node:http'

/** What is used of hapi's request and toolkit. */
interface GatewayRequest {
  readonly raw: { readonly req: IncomingMessage }
  /** As hapi reads it: without dot segments, escapes of plain letters and a slash at the end. */
  readonly url: URL
}

interface Toolkit<A> {
  authenticated(result: { readonly credentials: object }): A
}

/**
 * Lets each event carry the path as it was sent, as the events of an HTTP API do. The gateway lets a
 * `customAuthenticationProvider` see its request before it makes the event (serverless-offline, README, "Serverless
 * plugin authorizers"); everybody is let in, since the functions themselves ask for credentials.
 */
function restoreRawPath(_endpoint: unknown, functionKey: string, method: string, path: string) {
  const name = `raw path of ${functionKey}: ${method} ${path}`
  return { name, scheme: name, getAuthenticateFunction: () => ({ authenticate }) }
}

function authenticate<A>({ raw, url }: GatewayRequest, toolkit: Toolkit<A>): A {
  // A setter of its own would resolve dot segments again.
  Object.defineProperty(url, 'pathname', { value: rawPathOf(raw.req.url ?? '/') })
  return toolkit.authenticated({ credentials: {} })
}

/** The path of a request target, in origin or absolute form (RFC 9112 section 3.2). */
export function rawPathOf(target: string): string {
  const [path = ''] = target.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split('?')
  return path === '' ? '/' : path
}

// What `require` gives the gateway.
export { restoreRawPath as 'module.exports' }
