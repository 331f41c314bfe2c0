import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import type { InvocationResult } from '../stack/event-sources.ts'
import { rawPathOf, rawQueryOf } from '../stack/guard.ts'
import { joined, jsonIn } from '../stack/http.ts'
import type { FoundRoute } from './routes.ts'
import { newRoot } from './traced-queue.ts'

/** A request from the internet. */
export interface HttpRequest {
  readonly method?: string
  /** Path and query. */
  readonly target: string
  /** In the order in which they are sent; names may be repeated. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string | Buffer
  /** Passes the body on as text whatever its type, as other gateways do. */
  readonly asText?: true
}

/** Where a request arrived, and from where. */
interface Entrance {
  readonly domain: string
  readonly sourceAddress: string
  readonly at: Date
  /** A new one, unless it is given. */
  readonly requestId?: string
}

/** Bodies of these types are passed on as text, all others in base64, including forms and bodies without a type. */
const TEXT_TYPES = /^(?:text\/.*|application\/(?:json|xml|javascript))(?:;|$)/i

/** RFC 9110 section 7.6.1, and what only a gateway may say. */
const NOT_PASSED_ON = ['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect', 'cookie']

/**
 * What an HTTP API hands to a function, payload format 2.0: the rules `path`, `requestHeaders`, `forwarded` and
 * `bodyEncoding`.
 * @throws URIError for a path that cannot be decoded
 */
export function eventOf(
  request: HttpRequest,
  { routeKey, pathParameters }: Pick<FoundRoute, 'routeKey' | 'pathParameters'>,
  arrival: Entrance,
) {
  const { method = 'GET', target, headers = [], body = '', asText } = request
  const { domain, sourceAddress, at, requestId = randomUUID() } = arrival
  const [rawPath = ''] = decodeURIComponent(rawPathOf(target)).split('?', 1)
  const rawQueryString = rawQueryOf(target)
  const pairs = headers.map(([name, value]) => [name.toLowerCase(), value] as const)
  const cookies = pairs.filter(([name]) => name === 'cookie').flatMap(([, value]) => value.split(/;\s*/))
  const sent = joined(pairs)
  const isText = asText ?? TEXT_TYPES.test(sent['content-type'] ?? '')
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString,
    ...(cookies.length > 0 && { cookies }),
    headers: {
      host: domain,
      ...Object.fromEntries(Object.entries(sent).filter(([name]) => !NOT_PASSED_ON.includes(name))),
      'content-length': String(Buffer.byteLength(body)),
      'x-amzn-trace-id': `Root=${newRoot(at)}`,
      'x-forwarded-for': [sent['x-forwarded-for'], sourceAddress].filter(Boolean).join(', '),
      'x-forwarded-port': '443',
      'x-forwarded-proto': 'https',
    },
    ...(rawQueryString !== '' && { queryStringParameters: joined([...new URLSearchParams(rawQueryString)]) }),
    ...(pathParameters && { pathParameters }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'gatehouse',
      domainName: domain,
      domainPrefix: domain.split('.', 1)[0],
      http: {
        method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: sourceAddress,
        userAgent: sent['user-agent'] ?? '',
      },
      requestId,
      routeKey,
      stage: '$default',
      time: commonLogTime(at),
      timeEpoch: at.getTime(),
    },
    ...(Buffer.byteLength(body) > 0 && { body: Buffer.from(body).toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: Buffer.byteLength(body) > 0 && !isText,
  }
}

/** As `25/Nov/2026:19:09:45 +0000`. */
function commonLogTime(at: Date): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/.exec(at.toUTCString()) ?? []
  return `${day}/${month}/${year}:${time} +0000`
}

/** An answer to the internet. */
export interface HttpAnswer {
  readonly status: number
  /** Names in lower case; only `set-cookie` may be repeated. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
}

const value = z.union([z.string(), z.number(), z.boolean()])

const structured = z.object({
  statusCode: z.int().check(z.gte(100), z.lte(599)),
  headers: z.optional(z.nullable(z.record(z.string(), value))),
  cookies: z.optional(z.nullable(z.array(z.string()))),
  body: z.optional(z.nullable(z.string())),
  isBase64Encoded: z.optional(z.nullable(z.boolean())),
})

/** The rule `challenge`, and `Server` of `ownHeaders`. */
const RENAMED: readonly string[] = ['www-authenticate', 'server']

/** The rule `ownHeaders`. */
const OWN = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']

/** What the client of an HTTP API gets for the result of a function. */
export function answerTo({ isError, payload }: InvocationResult, renamed = RENAMED): HttpAnswer {
  if (isError) return gatewayAnswer(500, 'Internal Server Error')
  const result = jsonIn(payload)
  if (typeof result !== 'object' || result === null || !('statusCode' in result)) return plainAnswer(payload)
  const { data, success } = z.safeParse(structured, result)
  if (!success) return gatewayAnswer(500, 'Internal Server Error')
  const body = Buffer.from(data.body ?? '', data.isBase64Encoded ? 'base64' : 'utf8')
  return {
    status: data.statusCode,
    headers: [
      ...headersOf(data.headers ?? {}, body, renamed),
      ...(data.cookies ?? []).map((cookie) => ['set-cookie', cookie] as const),
    ],
    body,
  }
}

/** An answer that no function gave. */
export function gatewayAnswer(status: number, message: string): HttpAnswer {
  return {
    status,
    headers: [['content-type', 'application/json']],
    body: Buffer.from(JSON.stringify({ message })),
  }
}

/** The rule `plainResult`. */
function plainAnswer(payload: string): HttpAnswer {
  return { status: 200, headers: [['content-type', 'application/json']], body: Buffer.from(payload) }
}

function headersOf(
  given: Readonly<Record<string, string | number | boolean>>,
  body: Buffer,
  renamed: readonly string[],
) {
  const named = Object.entries(given).map(([name, value]) => [name.toLowerCase(), String(value)] as const)
  const kept = named
    .filter(([name]) => !OWN.includes(name))
    .map(([name, value]) => [renamed.includes(name) ? `x-amzn-remapped-${name}` : name, value] as const)
  const isTyped = body.length === 0 || named.some(([name]) => name === 'content-type')
  return isTyped ? kept : [...kept, ['content-type', 'text/plain; charset=utf-8'] as const]
}
