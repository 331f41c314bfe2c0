import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { rawPathOf, utf8Of } from '../stack/guard.ts'
import { pairsIn } from '../stack/http.ts'
import { answerTo, eventOf, gatewayAnswer, type HttpAnswer } from './http-api.ts'
import type { Lambda } from './lambda.ts'
import { type FoundRoute, findRoute, type Rate, type RouteTable } from './routes.ts'
import { LIMITS, type Limits } from './rules.ts'
import { InvokeRefusal } from './runtime-api.ts'

interface Behind {
  readonly routes: RouteTable
  readonly lambda: Pick<Lambda, 'invoke'>
  readonly rate: Rate
  readonly limits?: Limits
  /** Headers of functions that clients get under another name: the rules `challenge` and `ownHeaders`. */
  readonly renamed?: readonly string[]
  /** Is given a line of the access log for each answer. */
  readonly log?: (line: AccessLine) => void
}

/** What the access log says of a call, as `$context` has it; `-` for what there is not. */
export interface AccessLine {
  readonly 'identity.sourceIp': string
  readonly httpMethod: string
  readonly routeKey: string
  readonly path: string
  readonly status: string
  /** What Lambda's own API answered. */
  readonly integrationStatus: string
  readonly integrationErrorMessage: string
  readonly requestId: string
  readonly responseLength: string
  readonly responseLatency: string
  readonly requestTime: string
}

/** What becomes known of a call on its way. */
interface CallRecord {
  /** In the access log, the event and the answer. */
  readonly requestId: string
  readonly at: Date
  routeKey: string
  integrationStatus: string
  integrationErrorMessage: string
}

/** Lets the rule `headerSize` answer, and not Node. */
const MOST_HEADER_BYTES = 256 * 1024

/** An HTTP API of API Gateway before functions (payload format 2.0), with its limits and its own answers. */
export function httpApi(behind: Behind): Server {
  return createServer({ maxHeaderSize: MOST_HEADER_BYTES }, async (request, response) => {
    const record = newRecord()
    const answer = await answerFor(request, behind, record).catch((error) => {
      console.error('gateway:', error)
      return gatewayAnswer(500, 'Internal Server Error')
    })
    send(answer, request, response, record.requestId)
    behind.log?.(accessLine(request, answer, record))
  })
}

function newRecord(): CallRecord {
  return {
    requestId: randomUUID(),
    at: new Date(),
    routeKey: '-',
    integrationStatus: '-',
    integrationErrorMessage: '-',
  }
}

function accessLine(
  { method = '', url = '', socket }: IncomingMessage,
  { status, body }: HttpAnswer,
  { at, ...record }: CallRecord,
): AccessLine {
  return {
    ...record,
    'identity.sourceIp': socket.remoteAddress ?? '-',
    httpMethod: method,
    path: rawPathOf(url),
    status: String(status),
    responseLength: String(body.length),
    responseLatency: String(Date.now() - at.getTime()),
    requestTime: at.toISOString(),
  }
}

async function answerFor(request: IncomingMessage, behind: Behind, record: CallRecord): Promise<HttpAnswer> {
  const { limits = LIMITS } = behind
  if (headerBytes(request) > limits.headers) return gatewayAnswer(431, 'Request Header Fields Too Large')
  const body = await bodyOf(request, limits.body)
  if (body === undefined) return gatewayAnswer(413, 'Request Entity Too Large')
  try {
    return await route(request, body, behind, record)
  } catch (error) {
    if (error instanceof URIError) return gatewayAnswer(400, 'Bad Request')
    if (error instanceof InvokeRefusal) return answerToRefusal(error, record)
    throw error
  }
}

async function route(request: IncomingMessage, body: Buffer, behind: Behind, record: CallRecord): Promise<HttpAnswer> {
  const { routes, rate, limits = LIMITS } = behind
  const found = findRoute(routes, request.method ?? '', rawPathOf(request.url ?? '/'))
  if (!found) return gatewayAnswer(404, 'Not Found')
  record.routeKey = found.routeKey
  if (!rate.take()) return gatewayAnswer(429, 'Too Many Requests')
  return inTime(callFunction(request, body, { ...found, record }, behind), limits.integration)
}

/** The rule `integrationTimeout`. */
async function inTime(answer: Promise<HttpAnswer>, milliseconds: number): Promise<HttpAnswer> {
  const answered = new AbortController()
  const late = setTimeout(milliseconds, gatewayAnswer(503, 'Service Unavailable'), { signal: answered.signal })
  late.catch(() => {})
  answer.catch(() => {})
  try {
    return await Promise.race([answer, late])
  } finally {
    answered.abort()
  }
}

async function callFunction(
  request: IncomingMessage,
  body: Buffer,
  { record, ...route }: FoundRoute & { readonly record: CallRecord },
  { lambda, renamed }: Behind,
): Promise<HttpAnswer> {
  const { method = '', url = '/', headers, socket } = request
  const sent = {
    method,
    target: url,
    headers: pairsIn(request.rawHeaders).map(([name, value]) => [name, utf8Of(value)] as const),
    body,
  }
  const { requestId, at } = record
  const arrival = { domain: headers.host ?? '', sourceAddress: socket.remoteAddress ?? '', at, requestId }
  const event = eventOf(sent, route, arrival)
  const result = await lambda.invoke(route.functionName, event, event.headers['x-amzn-trace-id'])
  record.integrationStatus = '200'
  if (result.isError) record.integrationErrorMessage = 'The Lambda function returned an error'
  return answerTo(result, renamed)
}

function answerToRefusal({ status, message }: InvokeRefusal, record: CallRecord): HttpAnswer {
  Object.assign(record, { integrationStatus: String(status), integrationErrorMessage: message })
  if (status === 413) return gatewayAnswer(413, 'Request Entity Too Large')
  if (status === 429) return gatewayAnswer(503, 'Service Unavailable')
  return gatewayAnswer(500, 'Internal Server Error')
}

/** The rule `headerSize`. */
function headerBytes({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  const line = `${method} ${url} HTTP/1.1`
  return pairsIn(rawHeaders).reduce((sum, [, value]) => sum + value.length, line.length)
}

/** Undefined for one that is too large. It is read to its end all the same, or clients would see a broken connection. */
async function bodyOf(request: IncomingMessage, most: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= most) chunks.push(chunk)
  }
  return size > most ? undefined : Buffer.concat(chunks)
}

function send(
  { status, headers, body }: HttpAnswer,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): void {
  if (response.destroyed) return
  for (const [name, value] of headers) response.appendHeader(name, value)
  response.setHeader('apigw-requestid', requestId)
  if (status !== 204 && status !== 304) response.setHeader('content-length', body.length)
  if (!request.complete) response.setHeader('connection', 'close')
  response.writeHead(status)
  response.end(body)
}
