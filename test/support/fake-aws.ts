import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Some services of AWS that speak JSON, as a test wants them to answer. */
export interface FakeAws {
  readonly url: string
  /** What was asked for, in order: the operation with its service, and the body. */
  readonly calls: readonly (readonly [operation: string, body: Readonly<Record<string, unknown>>])[]
  close(): Promise<void>
}

type Answer = readonly [status: number, body: object]

/** @param answers by `Service.Operation` without the version of the service; anything else is refused */
export async function fakeAws(
  answers: Readonly<Record<string, (body: Readonly<Record<string, unknown>>) => Answer>>,
): Promise<FakeAws> {
  const calls: (readonly [string, Readonly<Record<string, unknown>>])[] = []
  const server = createServer(async (request, response) => {
    const sent = await text(request)
    // Services of the older query protocol name the operation in a form.
    const target = String(request.headers['x-amz-target'] ?? new URLSearchParams(sent).get('Action'))
    const operation = target.replace(/_\d+/, '')
    const body = request.headers['x-amz-target'] ? JSON.parse(sent) : {}
    calls.push([operation, body])
    const [status, answer] = answers[operation]?.(body) ?? [400, { __type: 'UnknownOperationException' }]
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer))
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
