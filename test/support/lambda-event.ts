import type { Context } from 'aws-lambda'
import type { HttpEvent, Reply } from '../../lib/http/message.ts'

interface Shape {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** AWS hands text over as it is and everything else in base64. */
  readonly base64?: boolean
}

/** An event as an HTTP API sends it (payload format 2.0). */
export function lambdaEvent(
  method: string,
  rawPath: string,
  { headers = {}, body, base64 = false }: Shape = {},
): HttpEvent {
  return {
    version: '2.0',
    routeKey: `${method} ${rawPath}`,
    rawPath,
    rawQueryString: '',
    headers,
    ...(body !== undefined && { body: Buffer.from(body).toString(base64 ? 'base64' : 'utf8') }),
    isBase64Encoded: base64,
    requestContext: {
      accountId: '000000000000',
      apiId: 'test',
      domainName: 'test',
      domainPrefix: 'test',
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'test' },
      requestId: 'test',
      routeKey: `${method} ${rawPath}`,
      stage: '$default',
      time: '01/Jan/2026:00:00:00 +0000',
      timeEpoch: 1_767_225_600_000,
    },
  }
}

export type Invoke = (event: HttpEvent) => Promise<Reply>

/** A handler with a context that leaves it ten seconds. */
export function invoker(handler: (event: HttpEvent, context: Context) => Promise<Reply>): Invoke {
  return (event) => handler(event, { getRemainingTimeInMillis: () => 10_000 } as Context)
}
