import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HOST, LISTEN_HOST } from './ports.ts'

/** Has a server listen, where no port is named for this machine alone. @returns its port, and what ends it with all its connections */
export async function listening(server: Server, port = 0) {
  server.listen(port, port === 0 ? HOST : LISTEN_HOST)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async stop(): Promise<void> {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** What a text says in JSON; undefined for what is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Pair = readonly [name: string, value: string]

/** Headers as they were sent, from Node's `rawHeaders`; the names in lower case. */
export function pairsIn(rawHeaders: readonly string[]): readonly Pair[] {
  const names = rawHeaders.filter((_, index) => index % 2 === 0)
  return names.map((name, index) => [name.toLowerCase(), rawHeaders[2 * index + 1] ?? ''])
}

/** Repeated names become one, their values one list (RFC 9110 section 5.3). */
export function joined(pairs: readonly Pair[], separatorOf = (_name: string) => ','): Record<string, string> {
  const lists = Array.from(
    Map.groupBy(pairs, ([name]) => name),
    ([name, same]) => [name, same.map(([, value]) => value).join(separatorOf(name))],
  )
  return Object.fromEntries(lists)
}
