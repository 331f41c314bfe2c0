import { isInProfile } from '../../auth/profile.ts'
import type { Route } from '../../contract/route.ts'
import { fail } from '../../errors.ts'
import type { HttpEvent } from '../message.ts'
import { matchRoute, methodsTaken, noEndpoint } from '../routing.ts'
import type { Call, EndpointContext, Middleware } from './call.ts'
import { answerHeaders, preflightReply } from './security-headers.ts'

/** The HTTP API's limit for all header lines together, in bytes; a local gateway would accept more. */
const MAXIMUM_HEADER_BYTES = 10_240

/**
 * Lets only calls of the route through, and leaves the parameters of its path on the context. Of others it answers a
 * preflight, and refuses the rest as if the function were not there. HEAD is answered as GET, without the content (RFC
 * 9110 section 9.3.2).
 */
export function onlyRoute(route: Route | undefined, app: EndpointContext): Middleware {
  const { profile, trustedOrigins, asksByGet } = app
  const served = route && !app.isOff && isInProfile(route, profile) ? route : undefined
  const withHeaders = answerHeaders(app)
  return {
    before({ event, context }) {
      if (headerBytes(event) > MAXIMUM_HEADER_BYTES) throw fail('HEADERS_TOO_LARGE')
      const { rawPath, requestContext } = event
      const { method } = requestContext.http
      const parameters = served && matchRoute(served, rawPath)
      if (served && parameters && methodsTaken(served, rawPath, asksByGet).includes(method)) {
        context.parameters = parameters
        return undefined
      }
      const preflight = preflightReply(event, trustedOrigins, profile)
      if (preflight) return withHeaders(preflight, event)
      throw noEndpoint(method, rawPath, profile, asksByGet)
    },
    after: withoutContentForHead,
    onError: withoutContentForHead,
  }
}

function withoutContentForHead(call: Call): void {
  if (call.response && call.event.requestContext.http.method === 'HEAD')
    call.response = { ...call.response, body: '', isBase64Encoded: false }
}

function headerBytes({ headers }: HttpEvent): number {
  let bytes = 0
  for (const name in headers) bytes += name.length + (headers[name]?.length ?? 0)
  return bytes
}
