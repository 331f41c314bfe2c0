import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb'

/** What DynamoDB was asked for, and what it says that it counts for that: it tells so only where nothing was refused. */
export interface Meter {
  readonly requests: number
  readonly units: number
}

/** Stands between a client and an emulated DynamoDB; whatever passes is asked to tell the capacity that it takes. */
export async function meteringProxy(target: string) {
  let meter: Meter = { requests: 0, units: 0 }
  const server = createServer(async (incoming, answer) => {
    const asked = { ...JSON.parse((await buffer(incoming)).toString()), ReturnConsumedCapacity: 'TOTAL' }
    const sent = Buffer.from(JSON.stringify(asked))
    const headers = { ...incoming.headers, 'content-length': sent.length }
    const outgoing = request(target, { method: incoming.method, path: incoming.url, headers }).end(sent)
    const [response] = await once(outgoing, 'response')
    const body = await buffer(response)
    meter = { requests: meter.requests + 1, units: meter.units + unitsIn(JSON.parse(body.toString())) }
    answer.writeHead(response.statusCode, response.headers).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Since the last call. */
    take(): Meter {
      const taken = meter
      meter = { requests: 0, units: 0 }
      return taken
    },
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Transactions and batches tell it of each table. */
function unitsIn({ ConsumedCapacity: told }: { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] }): number {
  return [told ?? []].flat().reduce((sum, { CapacityUnits: units = 0 }) => sum + units, 0)
}
