import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2'

/** A message without fields: not compressed, no bytes. */
const EMPTY = Buffer.alloc(5)

export type Client = ClientHttp2Session

export function grpcClient(port: number): Client {
  return connect(`http://127.0.0.1:${port}`)
}

/** Makes so many unary calls of a method, some of them at the same time. @throws Error for one that fails */
export async function calls(client: Client, count: number, inFlight: number, head: CallHead): Promise<void> {
  let left = count
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await call(client, head)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
}

export interface CallHead {
  readonly path: string
  readonly token: string
}

async function call(client: Client, { path, token }: CallHead): Promise<void> {
  const stream = client.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: `Bearer ${token}`,
  })
  let status: unknown
  // A call that fails at once has its status in the head.
  const read = (fields: IncomingHttpHeaders) => {
    status = fields['grpc-status'] ?? status
  }
  stream.on('response', read).on('trailers', read).resume().end(EMPTY)
  await once(stream, 'close')
  if (status !== '0') throw new Error(`${path} ended with status ${status}`)
}
