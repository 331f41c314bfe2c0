import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Reply, Request } from './answers.ts'

export interface Served {
  readonly url: string
  stop(): Promise<void>
}

/** Answers on a free port of this machine; what `answer` throws is a 500. */
export async function serve(answer: (request: Request) => Reply | Promise<Reply>): Promise<Served> {
  const server = createServer(async (incoming, response) => {
    const request = await requestOf(incoming)
    let reply: Reply
    try {
      reply = await answer(request)
    } catch (error) {
      reply = { status: 500, body: String((error as Error).stack) }
    }
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

export function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { 'content-type': 'application/x-amz-json-1.1', ...headers }, body: JSON.stringify(body) }
}

/** Asks the local run that plays the stage, under the names that it has there. */
export async function forward({ headers, body }: Request, endpoint: string): Promise<Reply> {
  const names = ['x-amz-target', 'content-type', 'authorization', 'x-amz-date']
  const sent = Object.fromEntries(names.map((name) => [name, String(headers[name])]))
  const local = body
    .toString()
    .replaceAll('gatehouse-prod-', 'gatehouse-local-')
    .replaceAll('/gatehouse/prod/', '/gatehouse/local/')
  const response = await fetch(endpoint, { method: 'POST', headers: sent, body: local })
  const type = response.headers.get('content-type') ?? ''
  return { status: response.status, headers: { 'content-type': type }, body: await response.text() }
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', url = '/', headers } = incoming
  const { pathname: path, searchParams: query } = new URL(url, 'http://aws')
  const sent = await buffer(incoming)
  const isChunked = headers['content-encoding']?.includes('aws-chunked') ?? false
  return { method, path, query, headers, body: isChunked ? withoutChunks(sent) : sent }
}

/** The body of an upload that its client sends in pieces, each behind its length in hexadecimal digits (S3, aws-chunked). */
function withoutChunks(sent: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; ; ) {
    const end = sent.indexOf('\r\n', at)
    const length = Number.parseInt(sent.toString('latin1', at, end), 16)
    if (!(length > 0)) return Buffer.concat(pieces)
    pieces.push(sent.subarray(end + 2, end + 2 + length))
    at = end + 4 + length
  }
}
