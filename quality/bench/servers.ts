import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb'

/** A process that is measured is so slow that a connection would be closed between its start and its first call. */
const KEEP_ALIVE_MS = 3_600_000

/** A server on 127.0.0.1 that answers with what it is given. */
export async function serving(answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Answers every call of AWS at once and in the same way: what is measured is who calls. */
export function constantAws() {
  return serving(async (incoming, answer) => {
    const asked = JSON.parse((await buffer(incoming)).toString() || '{}')
    const isUpdate = incoming.headers['x-amz-target'] === 'DynamoDB_20120810.UpdateItem'
    const told = isUpdate ? { Attributes: tallyOf(asked.ExpressionAttributeValues) } : {}
    answer.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(told))
  })
}

/** The tally of a caller, as its update left it: the first of all, or the one that follows another. */
function tallyOf(values: Readonly<Record<string, unknown>>) {
  const { ':window': window, ':before': before, ':taken': taken = values[':count'], ':spare': spare } = values
  return { window, before, taken, spare }
}

/**
 * Stands between a client and an emulated DynamoDB, which it asks to tell the capacity that a request takes. DynamoDB tells so
 * only where nothing was refused.
 */
export async function meteringProxy(target: string) {
  let [requests, units] = [0, 0]
  const server = await serving(async (incoming, answer) => {
    const asked = { ...JSON.parse((await buffer(incoming)).toString()), ReturnConsumedCapacity: 'TOTAL' }
    const sent = Buffer.from(JSON.stringify(asked))
    const headers = { ...incoming.headers, 'content-length': sent.length }
    const outgoing = request(target, { method: incoming.method, path: incoming.url, headers }).end(sent)
    const [response] = await once(outgoing, 'response')
    const body = await buffer(response)
    requests += 1
    units += unitsIn(JSON.parse(body.toString()))
    answer.writeHead(response.statusCode, response.headers).end(body)
  })
  /** Since the last call. */
  function take() {
    const taken = { requests, units }
    requests = 0
    units = 0
    return taken
  }
  return { ...server, take }
}

/** Transactions and batches tell it of each table. */
function unitsIn({ ConsumedCapacity: told }: { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] }): number {
  return [told ?? []].flat().reduce((sum, { CapacityUnits: units = 0 }) => sum + units, 0)
}
