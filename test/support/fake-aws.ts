import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Some services of AWS, as a test wants them to answer: with JSON, or with XML in those of the older protocols. */
export interface FakeAws {
  readonly url: string
  /** What was asked for, in order: the operation with its service, and the body. */
  readonly calls: readonly (readonly [operation: string, body: Readonly<Record<string, unknown>>])[]
  close(): Promise<void>
}

type Answer = readonly [status: number, body: object | string]

/**
 * @param answers by `Service.Operation` without the version of the service, or `Operation` alone in the query protocol, or
 * method and path; anything else is refused
 */
export async function fakeAws(
  answers: Readonly<Record<string, (body: Readonly<Record<string, unknown>>) => Answer>>,
): Promise<FakeAws> {
  const calls: (readonly [string, Readonly<Record<string, unknown>>])[] = []
  const server = createServer(async (request, response) => {
    const sent = await text(request)
    const isJson = request.headers['x-amz-target'] !== undefined
    const body = isJson ? JSON.parse(sent) : Object.fromEntries(new URLSearchParams(sent))
    const path = `${request.method} ${request.url?.split('?')[0]}`
    const operation = String(request.headers['x-amz-target'] ?? body['Action'] ?? path).replace(/_\d+/, '')
    calls.push([operation, body])
    const [status, answer] = answers[operation]?.(body) ?? [400, { __type: 'UnknownOperationException' }]
    if (typeof answer === 'string') response.writeHead(status, { 'content-type': 'text/xml' }).end(answer)
    else response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** CloudFormation where it knows no stack. */
export const NO_STACK: Answer = [
  400,
  '<ErrorResponse><Error><Code>ValidationError</Code><Message>Stack with id it does not exist</Message></Error></ErrorResponse>',
]
