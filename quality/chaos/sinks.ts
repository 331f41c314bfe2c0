import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One call of a destination that it answered with 2xx. */
export interface Arrival {
  /** When it came, in milliseconds since the epoch. */
  readonly at: number
  readonly event: string
  /** The number of the try, as the call says. */
  readonly attempt: number
}

/** Receivers of deliveries, one for each path; each may be told to refuse every other call and not to answer the rest. */
export async function startSinks() {
  const arrivals = new Map<string, Arrival[]>()
  const down = new Set<string>()
  let refused = 0
  const server = createServer((request, response) => {
    const name = String(request.url).slice(1)
    request.resume().once('end', () => {
      if (down.has(name)) {
        refused += 1
        if (refused % 2 === 0) response.writeHead(503).end()
        return
      }
      const { 'gatehouse-source': source, 'gatehouse-event': event, 'gatehouse-attempt': attempt } = request.headers
      const arrived = arrivals.get(name) ?? []
      arrived.push({ at: Date.now(), event: `${source}/${event}`, attempt: Number(attempt) })
      arrivals.set(name, arrived)
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    of: (name: string): readonly Arrival[] => arrivals.get(name) ?? [],
    refuse: (name: string) => void down.add(name),
    accept: (name: string) => void down.delete(name),
    get refused() {
      return refused
    },
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
