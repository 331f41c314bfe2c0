import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Lambda } from './lambda.ts'
import { InvokeRefusal } from './refusal.ts'

const PATH = /^\/2015-03-31\/functions\/([^/?]+)\/invocations$/

/** Serves Invoke of Lambda's API, for calls that wait for the result; the header of the trace is passed on. */
export function invokeApi(lambda: Lambda): Server {
  return createServer(async (request, response) => {
    try {
      await answer(lambda, request, response)
    } catch (error) {
      refuse(error, response)
    }
  })
}

async function answer(lambda: Lambda, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, name] = PATH.exec(request.url ?? '') ?? []
  if (name === undefined || request.method !== 'POST')
    throw new InvokeRefusal(404, 'UnknownOperationException', 'Not found')
  const event = eventIn(await text(request))
  const trace = String(request.headers['x-amzn-trace-id'] ?? '')
  const { isError, payload } = await lambda.invoke(decodeURIComponent(name), event, trace)
  response.writeHead(200, {
    'content-type': 'application/json',
    ...(isError && { 'x-amz-function-error': 'Unhandled' }),
  })
  response.end(payload)
}

function eventIn(body: string): unknown {
  try {
    return body === '' ? {} : JSON.parse(body)
  } catch {
    throw new InvokeRefusal(400, 'InvalidRequestContentException', 'Could not parse request body into json')
  }
}

function refuse(error: unknown, response: ServerResponse): void {
  const { status, type, message } =
    error instanceof InvokeRefusal ? error : { status: 500, type: 'ServiceException', message: 'Service error' }
  if (!(error instanceof InvokeRefusal)) console.error('invoke:', error)
  response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': type })
  response.end(JSON.stringify({ Type: 'User', message }))
}
