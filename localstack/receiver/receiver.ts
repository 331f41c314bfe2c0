import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { connect, type LookupFunction } from 'node:net'
import { text } from 'node:stream/consumers'
import { clientFor } from '../../lib/adapters/aws/client.ts'
import { ClosedAddress, demandReachable, guardedLookup } from '../../lib/adapters/http/guard.ts'
import { failureOf } from '../../lib/deliver/carrier.ts'
import type { SignedCall } from '../../lib/webhooks/schemes/scheme.ts'
import { UsageError } from '../command.ts'

export type Receiver = ReturnType<typeof receiverWithin>

/** Loopback and private networks, but not the metadata of a cloud. */
const REACH = { isPrivate: true, isLocal: true }

/**
 * Sends each call on a connection of its own, and follows no redirect.
 * @param seconds within which an answer has to begin
 */
export function receiverWithin(seconds: number, resolve?: LookupFunction) {
  const lookup = guardedLookup(REACH, resolve)
  return {
    /** Its status, or why there is none. Nothing else that it sent is kept. */
    async ask(call: SignedCall): Promise<string> {
      try {
        const answer = await answerTo(opened(call, seconds, lookup).end(call.body))
        // The status is known: what becomes of the rest does not matter.
        answer.on('error', () => {}).resume()
        return `${answer.statusCode}`
      } catch (error) {
        return failureOf(error).answer
      }
    },
    /** Opens a connection on which nothing comes, and one with half of a call. @returns what ends both */
    async stall(call: SignedCall): Promise<() => void> {
      const { protocol, hostname, port } = new URL(call.url)
      const host = hostname.replace(/^\[|\]$/g, '')
      const silent = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80), lookup })
      // Longer than any answer is waited for.
      const half = opened(call, 2 * seconds, lookup)
      const part = call.body.subarray(0, call.body.length / 2)
      const sent = new Promise((done) => half.on('error', done).write(part, done))
      await Promise.allSettled([once(silent, 'connect'), sent])
      return () => {
        for (const connection of [silent, half]) connection.destroy()
      }
    },
  }
}

function opened({ method, url, headers, body }: SignedCall, seconds: number, lookup: LookupFunction): ClientRequest {
  const given = { ...headers, ...(method !== 'GET' && { 'Content-Length': body.length }) }
  const options = { method, headers: given, agent: false, lookup, signal: AbortSignal.timeout(seconds * 1000) }
  return clientFor(new URL(url)).request(url, options)
}

/** @throws Error of the connection */
function answerTo(outgoing: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.on('error', reject).on('response', resolve)
  })
}

/** @throws UsageError for an address that is not connected to */
export function demandOpen(address: URL, option: string): URL {
  try {
    demandReachable(address, REACH)
    return address
  } catch (error) {
    if (error instanceof ClosedAddress) throw new UsageError(`${option}: ${error.message}`, { cause: error })
    throw error
  }
}

/** Reads a count of effects; NaN for anything but a whole number. */
export async function countAt(address: URL, seconds: number): Promise<number> {
  const call = { method: 'GET', url: address.href, headers: {}, body: Buffer.alloc(0) }
  const shown = await answerTo(opened(call, seconds, guardedLookup(REACH)).end())
    .then(text)
    .catch(() => '')
  return /^\s*\d{1,9}\s*$/.test(shown) ? Number(shown) : Number.NaN
}
