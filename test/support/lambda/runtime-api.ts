import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { InvocationResult } from '../../../localstack/event-source.ts'

/** What came of an invocation, and the CPU time of its process since its start, in microseconds. */
export interface Result extends InvocationResult {
  readonly cpu: number
}

/** Lambda's side of one execution environment (Lambda developer guide, "Using the Lambda runtime API"). */
export interface RuntimeApi {
  /** For `AWS_LAMBDA_RUNTIME_API`. */
  readonly address: string
  /** Settles when the function is loaded and asks for its first event; rejects with what it reports instead. */
  readonly loaded: Promise<void>
  /** Hands over one event. An environment gets the next one only when it is done with the last. */
  invoke(event: unknown, trace?: string): Promise<Result>
  close(): Promise<void>
}

const TRACE = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1'

/** Lambda quotas: bytes of a request and of a response of a synchronous call. */
const MAXIMUM_EVENT = 6_291_456
const MAXIMUM_RESULT = 6_291_556

const ROUTE =
  /^(GET|POST) \/2018-06-01\/runtime\/(?:(init\/error|invocation\/next)|invocation\/([^/]+)\/(response|error))$/

/** @param timeoutSeconds what an invocation may take */
export async function startRuntimeApi(functionName: string, timeoutSeconds: number): Promise<RuntimeApi> {
  const loaded = Promise.withResolvers<void>()
  const running = new Map<string, (result: Result) => void>()
  let waiting = Promise.withResolvers<ServerResponse>()

  const routes: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse, id: string) => void>> = {
    'GET invocation/next'(_, response) {
      loaded.resolve()
      waiting.resolve(response)
    },
    async 'POST init/error'(request, response) {
      loaded.reject(new Error(await text(request)))
      response.writeHead(202).end()
    },
    'POST response': (request, response, id) => conclude(id, false, request, response),
    'POST error': (request, response, id) => conclude(id, true, request, response),
  }

  async function conclude(id: string, isError: boolean, request: IncomingMessage, response: ServerResponse) {
    const payload = await text(request)
    const size = Buffer.byteLength(payload)
    const outcome = size > MAXIMUM_RESULT ? { isError: true, payload: tooLarge(size) } : { isError, payload }
    running.get(id)?.({ ...outcome, cpu: Number(request.headers['x-cpu-usage']) })
    running.delete(id)
    response.writeHead(202).end()
  }

  const server = createServer((request, response) => {
    const [, method, fixed, id = '', ending] = ROUTE.exec(`${request.method} ${request.url}`) ?? []
    const route = routes[`${method} ${fixed ?? ending}`]
    if (route) route(request, response, id)
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    loaded: loaded.promise,
    async invoke(event, trace = TRACE) {
      const body = JSON.stringify(event)
      if (Buffer.byteLength(body) > MAXIMUM_EVENT) throw new Error('Lambda refuses an event of this size')
      const response = await waiting.promise
      waiting = Promise.withResolvers()
      const id = randomUUID()
      const { promise, resolve } = Promise.withResolvers<Result>()
      running.set(id, resolve)
      response
        .writeHead(200, {
          'content-type': 'application/json',
          'lambda-runtime-aws-request-id': id,
          'lambda-runtime-deadline-ms': Date.now() + timeoutSeconds * 1000,
          'lambda-runtime-invoked-function-arn': `arn:aws:lambda:eu-central-1:000000000000:function:${functionName}`,
          'lambda-runtime-trace-id': trace,
        })
        .end(body)
      return promise
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function tooLarge(size: number): string {
  const errorMessage = `Response payload size (${size} bytes) exceeded maximum allowed payload size (${MAXIMUM_RESULT} bytes).`
  return JSON.stringify({ errorType: 'Function.ResponseSizeTooLarge', errorMessage })
}
