import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { forward } from './forward.ts'

/** One address for several services of AWS. */
export interface AwsEndpoint {
  readonly url: string
  /** The services that were called so far. */
  readonly called: ReadonlySet<string>
  close(): Promise<void>
}

/** The scope of a signature (Signature Version 4): date, region and service. */
const SCOPE = /Credential=[^/]+\/\d{8}\/[^/]+\/(\w+)\/aws4_request/

/** @param services the port of each on this machine, by the name that its requests are signed for */
export async function awsEndpoint(services: Readonly<Record<string, number>>): Promise<AwsEndpoint> {
  const called = new Set<string>()
  const server = createServer((incoming, answer) => {
    const [, service = ''] = SCOPE.exec(incoming.headers.authorization ?? '') ?? []
    const port = services[service]
    called.add(service)
    if (port === undefined) answer.writeHead(501).end(`no ${service} here`)
    else forward(incoming, answer, `http://127.0.0.1:${port}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    called,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
