import { isInProfile } from '../../auth/profile.ts'
import type { Route } from '../../contract/route.ts'
import { fail } from '../../errors.ts'
import type { HttpEvent } from '../message.ts'
import { matchRoute, methodsTaken, noEndpoint, sentPath } from '../routing.ts'
import { onlyByEdge } from './by-edge.ts'
import { beforeDeadline, type Call, type EndpointContext, type Middleware } from './call.ts'
import { answerHeaders, preflightReply } from './security-headers.ts'

/** The HTTP API's limit for all header lines together, in bytes; a local gateway would accept more. */
const MAXIMUM_HEADER_BYTES = 10_240

/**
 * Lets only calls of the route through, with the path as it was sent, and leaves the parameters of that path on the
 * context; first it has prepared what such a call needs. A call past the edge is refused before all. Of other calls it answers a preflight, and refuses the rest as
 * if the function were not there. HEAD is answered as GET, without the content (RFC 9110 section 9.3.2).
 */
export function onlyRoute(route: Route | undefined, app: EndpointContext): Middleware {
  const { profile, trustedOrigins, asksByGet, prepare, edgeSecrets = [] } = app
  const served = route && !app.isOff && isInProfile(route, profile) ? route : undefined
  const withHeaders = answerHeaders(app)
  return {
    before({ event, context }) {
      const isTooLarge = headerBytes(event) > MAXIMUM_HEADER_BYTES
      event.rawPath = sentPath(route, event)
      onlyByEdge(event, edgeSecrets)
      if (isTooLarge) throw fail('HEADERS_TOO_LARGE')
      const { rawPath, requestContext } = event
      const { method } = requestContext.http
      const parameters = served && matchRoute(served, rawPath)
      if (served && parameters && methodsTaken(served, rawPath, asksByGet).includes(method)) {
        context.parameters = parameters
        const work = prepare?.()
        return work && beforeDeadline(work, context)
      }
      const preflight = preflightReply(event, trustedOrigins, profile)
      if (preflight) return withHeaders(preflight, event)
      throw noEndpoint(method, rawPath, profile, asksByGet)
    },
    ...(route?.method === 'GET' && { after: withoutContentForHead }),
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
