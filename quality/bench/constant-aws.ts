import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A process that is measured is so slow that a connection would be closed between its start and its first call. */
const KEEP_ALIVE_MS = 3_600_000

/** Answers every call of AWS at once and in the same way: what is measured is who calls. */
export async function constantAws() {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, async (request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(await answerTo(request))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function answerTo(request: IncomingMessage): Promise<string> {
  const text = (await buffer(request)).toString()
  return request.headers['x-amz-target'] === 'DynamoDB_20120810.UpdateItem' ? updated(text) : '{}'
}

/** The tally of a caller, as its update left it: the first of all, or the one that follows another. */
function updated(text: string): string {
  const values = valuesIn(text)
  const { ':minute': minute, ':before': before, ':taken': taken = values[':count'], ':spare': spare } = values
  return JSON.stringify({ Attributes: { minute, before, taken, spare } })
}

function valuesIn(text: string): Readonly<Record<string, unknown>> {
  return JSON.parse(text).ExpressionAttributeValues
}
