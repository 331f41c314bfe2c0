import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What an operation was asked with. */
export type Asked = Readonly<Record<string, string>>

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** An error of AWS, which its clients show with code and message. */
export class Refusal extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export interface Served {
  readonly url: string
  stop(): Promise<void>
}

/** Answers on a free port of this machine; what `answer` throws is a 500. */
export async function serve(answer: (request: Request) => Promise<Reply>): Promise<Served> {
  const server = createServer(async (incoming, response) => {
    const { method = 'GET', url = '/', headers } = incoming
    const request = { method, path: new URL(url, 'http://aws').pathname, headers, body: await text(incoming) }
    const reply = await answer(request).catch((error: Error) => ({ status: 500, headers: {}, body: `${error.stack}` }))
    response.writeHead(reply.status, reply.headers).end(reply.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export function json(status: number, body: object): Reply {
  return { status, headers: { 'content-type': 'application/x-amz-json-1.1' }, body: JSON.stringify(body) }
}

/** Asks the local run that plays the stage, under the names that it has there. */
export async function forward({ headers, body }: Request, endpoint: string): Promise<Reply> {
  const names = ['x-amz-target', 'content-type', 'authorization', 'x-amz-date']
  const sent = Object.fromEntries(names.map((name) => [name, String(headers[name])]))
  const local = body
    .replaceAll('gatehouse-prod-', 'gatehouse-local-')
    .replaceAll('/gatehouse/prod/', '/gatehouse/local/')
  const response = await fetch(endpoint, { method: 'POST', headers: sent, body: local })
  const type = response.headers.get('content-type') ?? ''
  return { status: response.status, headers: { 'content-type': type }, body: await response.text() }
}
