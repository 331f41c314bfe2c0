import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A call of AWS: its operation, and what it is asked, as text. */
export interface Asked {
  readonly operation: string
  readonly body: string
}

const ANSWERS = {
  throttles: [400, 'ProvisionedThroughputExceededException'],
  'answers 500': [500, 'InternalServerError'],
  denies: [400, 'AccessDeniedException'],
  'refuses the text': [400, 'InvalidMessageContents'],
} as const satisfies Record<string, readonly [number, string]>

/** Those that are answered, and silence. */
export type AwsFault = keyof typeof ANSWERS | 'hangs'

/** Stands before an emulator, and answers what it is told to in its place. */
export interface AwsProxy {
  readonly url: string
  /** What was answered with a fault. */
  readonly refused: readonly (Asked & { readonly fault: AwsFault; readonly at: number })[]
  /** @param isMeant all calls, unless it is given */
  set(fault: AwsFault | 'none', isMeant?: (asked: Asked) => boolean): void
  stop(): Promise<void>
}

export async function awsProxy(target: string): Promise<AwsProxy> {
  const refused: (Asked & { readonly fault: AwsFault; readonly at: number })[] = []
  let faultOf: (asked: Asked) => AwsFault | undefined = () => undefined

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const [, operation = ''] = String(request.headers['x-amz-target'] ?? '').split('.')
    const asked = { operation, body: body.toString() }
    const fault = faultOf(asked)
    if (fault === undefined) return forward(request, body, response)
    refused.push({ ...asked, fault, at: Date.now() })
    if (fault === 'hangs') return
    const [status, code] = ANSWERS[fault]
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' })
    response.end(JSON.stringify({ __type: code, message: code }))
  }

  async function forward(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = request.headers
    const answer = await fetch(new URL(request.url ?? '/', target), {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: new Uint8Array(body),
    })
    const type = answer.headers.get('content-type') ?? ''
    response.writeHead(answer.status, { 'content-type': type }).end(Buffer.from(await answer.arrayBuffer()))
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    set(fault, isMeant = () => true) {
      faultOf = (asked) => (fault !== 'none' && isMeant(asked) ? fault : undefined)
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
