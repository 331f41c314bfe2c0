import { randomUUID } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { ROUTES } from '../../../lib/endpoints/index.ts'
import type { Route } from '../../../lib/endpoints/route.ts'
import { matchPath } from '../../../lib/http/routing.ts'
import type { Answer } from '../client.ts'

/** A request as it comes in from the internet. */
export interface HttpRequest {
  readonly method?: string
  /** Path and query. */
  readonly target: string
  /** In the order in which they are sent; names may be repeated. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string | Buffer
  /** Has the body handed over as text whatever its type, as other gateways do. */
  readonly asText?: true
}

/** Where the HTTP API of these tests would be. */
export const DOMAIN = 'gatehouse.execute-api.eu-central-1.amazonaws.com'

/** Bodies of these types are handed over as text, all others in base64: forms too, and what has no type. */
const TEXT_TYPES = /^(?:text\/.*|application\/(?:json|xml|javascript))(?:;|$)/i

const SOURCE_ADDRESS = '203.0.113.7'

/**
 * What an HTTP API hands to a function, payload format 2.0 (API Gateway developer guide, "Create AWS Lambda proxy
 * integrations for HTTP APIs"). What the guide leaves open is taken from events that others have published: the types
 * whose bodies are text (ministackorg/ministack#766), the path that is decoded while the query is not
 * (fastify/aws-lambda-fastify#169), the cookies that are no header any more (Kludex/mangum#153).
 */
export function httpApiEvent({ method = 'GET', target, headers = [], body, asText }: HttpRequest): object {
  const [path = '', query = ''] = target.split('?')
  const rawPath = decodeURIComponent(path)
  const { routeKey, pathParameters } = routeOf(method, path)
  const cookies = headers.filter(([name]) => isCookie(name)).flatMap(([, value]) => value.split(/;\s*/))
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const isText = asText ?? TEXT_TYPES.test(type)
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString: query,
    ...(cookies.length > 0 && { cookies }),
    headers: {
      host: DOMAIN,
      'x-amzn-trace-id': 'Root=1-5759e988-bd862e3fe1be46a994272793',
      'x-forwarded-for': SOURCE_ADDRESS,
      'x-forwarded-port': '443',
      'x-forwarded-proto': 'https',
      'content-length': String(Buffer.byteLength(body ?? '')),
      ...joined(headers.filter(([name]) => !isCookie(name)).map(([name, value]) => [name.toLowerCase(), value])),
    },
    ...(query !== '' && { queryStringParameters: joined([...new URLSearchParams(query)]) }),
    ...(pathParameters && { pathParameters }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'gatehouse',
      domainName: DOMAIN,
      domainPrefix: 'gatehouse',
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: SOURCE_ADDRESS, userAgent: 'test' },
      requestId: randomUUID(),
      routeKey,
      stage: '$default',
      time: '01/Jan/2026:00:00:00 +0000',
      timeEpoch: 1_767_225_600_000,
    },
    ...(body !== undefined && { body: Buffer.from(body).toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body !== undefined && !isText,
  }
}

function isCookie(name: string): boolean {
  return name.toLowerCase() === 'cookie'
}

/** Repeated names become one, their values in one list. */
function joined(pairs: readonly (readonly [string, string])[]): Record<string, string> {
  const byName = Map.groupBy(pairs, ([name]) => name)
  return Object.fromEntries([...byName].map(([name, same]) => [name, same.map(([, value]) => value).join(',')]))
}

/** A path without parameters goes before one with them; whatever no route is for goes to `$default`. */
function routeOf(method: string, path: string) {
  const routes = Object.values<Route>(ROUTES).filter((route) => route.method === method)
  const fitting = routes.map(({ path: declared }) => ({ path: declared, pathParameters: matchPath(declared, path) }))
  const [found] = fitting
    .filter(({ pathParameters }) => pathParameters)
    .sort((one, other) => Object.keys(one.pathParameters ?? {}).length - Object.keys(other.pathParameters ?? {}).length)
  if (!found) return { routeKey: '$default', pathParameters: undefined }
  const isParametrized = Object.keys(found.pathParameters ?? {}).length > 0
  return { routeKey: `${method} ${found.path}`, pathParameters: isParametrized ? found.pathParameters : undefined }
}

interface StructuredResult {
  readonly statusCode: number
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
  readonly body?: string
  readonly isBase64Encoded?: boolean
}

const identity = (bytes: Buffer) => bytes
const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync }

/** What the client of an HTTP API gets for the result of a function (as above, "Lambda function response format"). */
export function answerOf(payload: string): Answer {
  const { statusCode, headers = {}, cookies = [], body = '', isBase64Encoded } = JSON.parse(payload) as StructuredResult
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
  const text = (DECODERS[headers['content-encoding'] ?? ''] ?? identity)(bytes).toString('utf8')
  const isJson = headers['content-type']?.includes('json') === true && text !== ''
  return {
    status: statusCode,
    headers: { ...headers, ...(cookies.length > 0 && { 'set-cookie': [...cookies] }) },
    text,
    json: isJson ? JSON.parse(text) : undefined,
  }
}
