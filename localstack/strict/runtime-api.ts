import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { InvocationResult } from '../stack/event-sources.ts'
import { listening } from '../stack/http.ts'
import { HOST } from '../stack/ports.ts'
import { LIMITS } from './rules.ts'

/** The result of an invocation, and the CPU time of its process since its start, in microseconds. */
export interface Result extends InvocationResult {
  readonly cpu: number
}

interface Served {
  readonly functionName: string
  /** The limits of an invocation. */
  readonly timeoutSeconds: number
  /** Called when the environment has nothing to do, and before it has again. */
  readonly freeze: () => void
  readonly thaw: () => void
}

const TRACE = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1'

const ROUTE =
  /^(GET|POST) \/2018-06-01\/runtime\/(?:(init\/error|invocation\/next)|invocation\/([^/]+)\/(response|error))$/

/** Lambda's side of one execution environment (Lambda developer guide, "Using the Lambda runtime API"). */
export async function startRuntimeApi({ functionName, timeoutSeconds, freeze, thaw }: Served) {
  const loaded = Promise.withResolvers<void>()
  const running = new Map<string, (result: Result) => void>()
  let waiting = Promise.withResolvers<ServerResponse>()
  let isWaiting = false
  let isCalled = false

  /** The next call may be there before the process asks for it. */
  function rest(): void {
    if (isWaiting && !isCalled) freeze()
  }

  const routes: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse, id: string) => void>> = {
    'GET invocation/next'(_, response) {
      loaded.resolve()
      waiting.resolve(response)
      isWaiting = true
      rest()
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
    const outcome = size > LIMITS.result ? { isError: true, payload: tooLarge(size) } : { isError, payload }
    isCalled = false
    running.get(id)?.({ ...outcome, cpu: Number(request.headers['x-cpu-usage']) })
    running.delete(id)
    response.writeHead(202).end()
    rest()
  }

  // Lambda keeps a connection for as long as the environment is frozen, which cannot notice meanwhile that it was
  // closed.
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, (request, response) => {
    const [, method, fixed, id = '', ending] = ROUTE.exec(`${request.method} ${request.url}`) ?? []
    const route = routes[`${method} ${fixed ?? ending}`]
    if (route) route(request, response, id)
    else response.writeHead(404).end()
  })
  const { port, stop } = await listening(server)

  return {
    /** For `AWS_LAMBDA_RUNTIME_API`. */
    address: `${HOST}:${port}`,
    /** Settles when the function is loaded and asks for its first event; rejects with the error that it reports instead. */
    loaded: loaded.promise,
    /**
     * Passes one event. An environment gets the next one only when it is done with the last.
     * @throws InvokeRefusal of an event that is too large
     */
    async invoke(event: unknown, trace = TRACE): Promise<Result> {
      const body = JSON.stringify(event)
      if (Buffer.byteLength(body) > LIMITS.event) throw eventTooLarge(Buffer.byteLength(body))
      isCalled = true
      thaw()
      const response = await waiting.promise
      waiting = Promise.withResolvers()
      isWaiting = false
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
    close: stop,
  }
}

function eventTooLarge(size: number): InvokeRefusal {
  const message = `${size} byte payload is too large for the RequestResponse invocation type (limit ${LIMITS.event} bytes)`
  return new InvokeRefusal(413, 'RequestEntityTooLargeException', message)
}

function tooLarge(size: number): string {
  const errorMessage = `Response payload size (${size} bytes) exceeded maximum allowed payload size (${LIMITS.result} bytes).`
  return JSON.stringify({ errorType: 'Function.ResponseSizeTooLarge', errorMessage })
}

/** Lambda's refusal of an invocation, before any function is called (Lambda API reference, "Invoke"). */
export class InvokeRefusal extends Error {
  override readonly name = 'InvokeRefusal'
  readonly status: 400 | 404 | 413 | 429
  /** As `TooManyRequestsException`. */
  readonly type: string

  constructor(status: InvokeRefusal['status'], type: string, message: string) {
    super(message)
    this.status = status
    this.type = type
  }
}
