import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

/** A request to an embedded provider. */
export interface Request {
  readonly method: string
  readonly url: URL
  readonly accept: string
  /** Name and port of this provider. */
  readonly host: string
  readonly authorization: string
  readonly form: URLSearchParams
}

export interface ProviderResponse {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type Respond = (request: Request) => ProviderResponse

/** Serves one answer for each request. */
export function served(respond: Respond): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return async (incoming, outgoing) => {
    const form = new URLSearchParams(incoming.method === 'POST' ? await text(incoming) : '')
    const { status, headers, body } = respond({
      method: incoming.method ?? '',
      url: new URL(incoming.url ?? '/', 'http://provider'),
      host: incoming.headers.host ?? '',
      accept: incoming.headers.accept ?? '',
      authorization: incoming.headers.authorization ?? '',
      form,
    })
    outgoing.writeHead(status, { 'cache-control': 'no-store', ...headers }).end(body)
  }
}

export function fileResponse(type: string, body: string): ProviderResponse {
  return { status: 200, headers: { 'content-type': type }, body }
}

export function jsonResponse(body: unknown, status = 200): ProviderResponse {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(body) }
}

export function found(location: URL): ProviderResponse {
  return { status: 302, headers: { location: location.href } }
}
