import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { forward } from './forward.ts'

/** Stands between a client and an emulated AWS service and notes the operation of every request that passes. */
export interface CountingProxy {
  readonly url: string
  /** The operations since the last call, in order of arrival. */
  take(): readonly string[]
  /** How many connections were opened since the last call. */
  takeOpened(): number
  close(): Promise<void>
}

/** @param broken a name in requests that the service fails to answer, as if one of its tables were down */
export async function countingProxy(target: string, broken?: string): Promise<CountingProxy> {
  let operations: string[] = []
  let opened = 0
  const server = createServer(async (incoming, answer) => {
    const { 'x-amz-target': operation = 'unknown' } = incoming.headers
    operations.push(String(operation).replace(/^.*\./, ''))
    if (broken === undefined) return forward(incoming, answer, target)
    const body = await text(incoming)
    if (body.includes(broken)) answer.writeHead(500).end('{"__type":"InternalServerError"}')
    else forward(incoming, answer, target, body)
  })
  server.on('connection', () => opened++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = operations
      operations = []
      return taken
    },
    takeOpened() {
      const taken = opened
      opened = 0
      return taken
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
