import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb'

/** What DynamoDB was asked for, and what it says that it counts for that: it tells so only where nothing was refused. */
export interface Meter {
  readonly requests: number
  readonly units: number
}

export interface MeteringProxy {
  readonly url: string
  /** Since the last call. */
  take(): Meter
  close(): Promise<void>
}

/** Stands between a client and an emulated DynamoDB; whatever passes is asked to tell the capacity that it takes. */
export async function meteringProxy(target: string): Promise<MeteringProxy> {
  let meter: Meter = { requests: 0, units: 0 }
  const server = createServer(async (incoming, answer) => {
    const response = await passOn(incoming, target)
    const body = await buffer(response)
    meter = { requests: meter.requests + 1, units: meter.units + unitsIn(JSON.parse(body.toString())) }
    answer.writeHead(response.statusCode ?? 502, response.headers).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = meter
      meter = { requests: 0, units: 0 }
      return taken
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function passOn(incoming: IncomingMessage, target: string): Promise<IncomingMessage> {
  const asked = { ...JSON.parse((await buffer(incoming)).toString()), ReturnConsumedCapacity: 'TOTAL' }
  const body = Buffer.from(JSON.stringify(asked))
  const headers = { ...incoming.headers, 'content-length': body.length }
  const outgoing = request(target, { method: incoming.method, path: incoming.url, headers }).end(body)
  const [response] = await once(outgoing, 'response')
  return response
}

/** Transactions and batches tell it of each table. */
function unitsIn({ ConsumedCapacity: told }: { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] }): number {
  return [told ?? []].flat().reduce((sum, { CapacityUnits: units = 0 }) => sum + units, 0)
}
