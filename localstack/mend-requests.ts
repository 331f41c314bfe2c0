import { randomUUID } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { admitOnly, type Concurrency } from './concurrency.ts'
import { CALL_ID, SENT_TARGET, SENT_TYPE } from './mend-events.ts'
import { utf8Of } from './sent-target.ts'

interface RequestStart {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly server: Server
}

/**
 * Corrects a request before serverless-offline 14.8 sees it, where it differs from an HTTP API. It builds the
 * function's event from `rawHeaders` and takes everything else from `headers`, so the function still sees what was
 * sent.
 */
export function mendRequests(httpPort: number, concurrency: Concurrency): void {
  const admitting = new WeakSet<Server>()
  subscribe('http.server.request.start', (message) => {
    const { request, response, server } = message as RequestStart
    if (request.socket.localPort !== httpPort) return
    if (!admitting.has(server)) {
      admitting.add(server)
      admitOnly(server, concurrency)
    }
    // Node makes `headers` from `rawHeaders` on first use, so read it before `rawHeaders` changes.
    const { headers } = request
    // With this header, every answer would allow the origin, and OPTIONS would never reach a function.
    delete headers.origin
    // With this header, the gateway would cut the function's answer.
    delete headers.range
    // By this header, the gateway would decode the body, or refuse it.
    delete headers['content-encoding']
    // The gateway decodes any other type as text, which loses bytes that are not UTF-8.
    headers['content-type'] = 'application/octet-stream'
    joinRepeated(request.rawHeaders)
    const id = randomUUID()
    tellSent(request, id)
    response.setHeader('apigw-requestid', id)
    withoutInventions(response)
    // For the answers of the gateway itself.
    response.setHeader('x-content-type-options', 'nosniff')
  })
}

/** Nothing to read has no type; the gateway would call it JSON. */
const BODILESS: readonly number[] = [204, 302]

function withoutInventions(response: ServerResponse): void {
  const { writeHead } = response
  response.writeHead = (...head: unknown[]) => {
    // No function answers a part of its content.
    response.removeHeader('accept-ranges')
    if (BODILESS.includes(Number(head[0]))) response.removeHeader('content-type')
    return Reflect.apply(writeHead, response, head)
  }
}

/** Adds headers for {@link mendEvents}; repeated headers are joined at this point. */
function tellSent({ rawHeaders, url = '/' }: IncomingMessage, id: string): void {
  const position = rawHeaders.findIndex((name, index) => index % 2 === 0 && name === 'content-type')
  if (position !== -1) rawHeaders.push(SENT_TYPE, rawHeaders[position + 1] ?? '')
  rawHeaders.push(SENT_TARGET, url, CALL_ID, id)
}

/** An HTTP API joins repeated headers (RFC 9110 section 5.2, for cookies RFC 9113 section 8.2.3). */
export function joinRepeated(rawHeaders: string[]): void {
  const joined = new Map<string, string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ''
    const value = utf8Of(rawHeaders[index + 1] ?? '')
    const present = joined.get(name)
    const separator = name === 'cookie' ? '; ' : ','
    joined.set(name, present === undefined ? value : `${present}${separator}${value}`)
  }
  rawHeaders.splice(0, rawHeaders.length, ...[...joined].flat())
}
