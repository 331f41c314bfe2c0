import type { IncomingMessage, ServerResponse } from 'node:http'
import { env } from 'node:process'
import { loadConfig } from '../lib/platform/config.ts'
import { rawPathOf } from './raw-path.ts'
import { roomFor } from './room.ts'
import { localSettings } from './settings.ts'

/** What is used of hapi's request, response and toolkit. */
interface GatewayRequest {
  readonly raw: { readonly req: IncomingMessage; readonly res: ServerResponse }
  /** As hapi reads it: without dot segments, escapes of plain letters and a slash at the end. */
  readonly url: URL
}

interface GatewayResponse {
  code(status: number): GatewayResponse
  header(name: string, value: string): GatewayResponse
  takeover(): GatewayResponse
}

interface Toolkit {
  authenticated(result: { readonly credentials: object }): unknown
  response(body: object): GatewayResponse
}

const { LOCAL_CONCURRENCY } = loadConfig({ LOCAL_CONCURRENCY: localSettings.LOCAL_CONCURRENCY }, [], env)

const room = roomFor(LOCAL_CONCURRENCY)

/**
 * Does what an HTTP API does before it makes an event. The gateway lets a `customAuthenticationProvider` see each request
 * first (serverless-offline, README, "Serverless plugin authorizers"); everybody is let in for whom there is room, since the
 * functions themselves ask for credentials.
 */
function beforeEvent(_endpoint: unknown, functionKey: string, method: string, path: string) {
  const name = `${functionKey}: ${method} ${path}`
  return { name, scheme: name, getAuthenticateFunction: () => ({ authenticate }) }
}

function authenticate({ raw, url }: GatewayRequest, toolkit: Toolkit): unknown {
  if (room.isFull) {
    // An HTTP API's own answer when Lambda throttles.
    const refusal = toolkit.response({ message: 'Service Unavailable' }).code(503).header('retry-after', '1')
    return refusal.takeover()
  }
  room.enter(raw.req, raw.res)
  // An event carries the path as it was sent. A setter of the URL's own would resolve dot segments again.
  Object.defineProperty(url, 'pathname', { value: rawPathOf(raw.req.url ?? '/') })
  return toolkit.authenticated({ credentials: {} })
}

// What `require` gives the gateway.
export { beforeEvent as 'module.exports' }
