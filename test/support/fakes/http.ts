import { Buffer } from 'node:buffer'
import type { Context } from 'aws-lambda'
import type { HttpEvent } from '../../../lib/http/message.ts'
import type { CallContext, Call as Hooked } from '../../../lib/http/middleware/call.ts'

export interface Call {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** As API Gateway hands them over: beside the headers, one entry each. */
  readonly cookies?: readonly string[]
  readonly rawQueryString?: string
}

/** An event as API Gateway makes it (payload format 2.0): header names in lower case, bytes in Base64. */
export function httpEvent({
  method = 'GET',
  path = '/',
  headers = {},
  body,
  cookies,
  rawQueryString = '',
}: Call = {}): HttpEvent {
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString,
    headers: { ...headers },
    ...(cookies && { cookies: [...cookies] }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'api',
      domainName: 'localhost',
      domainPrefix: 'localhost',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'test' },
      requestId: 'request-1',
      routeKey: '$default',
      stage: '$default',
      time: '02/Jan/2026:03:04:05 +0000',
      timeEpoch: 1_767_323_045_000,
    },
    isBase64Encoded: Buffer.isBuffer(body),
    ...(body !== undefined && { body: Buffer.isBuffer(body) ? body.toString('base64') : body }),
  }
}

/** What Lambda passes beside the event; each call needs its own. */
export function lambdaContext(remainingMs = 30_000): Context {
  return { awsRequestId: 'request-1', getRemainingTimeInMillis: () => remainingMs } as Context
}

/** What a hook of a middleware is given. @param findings what the links before it have found */
export function callOf(event: HttpEvent, findings: Partial<CallContext> = {}): Hooked {
  return { event, context: { ...lambdaContext(), ...findings }, response: null, error: null, internal: {} } as Hooked
}
