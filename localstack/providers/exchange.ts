import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

/** A request to an embedded provider. */
export interface Request {
  readonly method: string
  readonly url: URL
  readonly accept: string
  readonly authorization: string
  readonly form: URLSearchParams
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type Respond = (request: Request) => Answer

/** Serves one answer for each request. */
export function served(respond: Respond): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return async (incoming, outgoing) => {
    const form = new URLSearchParams(incoming.method === 'POST' ? await text(incoming) : '')
    const { status, headers, body } = respond({
      method: incoming.method ?? '',
      url: new URL(incoming.url ?? '/', 'http://provider'),
      accept: incoming.headers.accept ?? '',
      authorization: incoming.headers.authorization ?? '',
      form,
    })
    outgoing.writeHead(status, { 'cache-control': 'no-store', ...headers }).end(body)
  }
}

export function html(body: string): Answer {
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body }
}

export function json(body: unknown, status = 200): Answer {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(body) }
}

export function found(location: URL): Answer {
  return { status: 302, headers: { location: location.href } }
}
