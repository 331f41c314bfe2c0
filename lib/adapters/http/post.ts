import { Buffer } from 'node:buffer'
import type { Agent } from 'node:http'
import type { RequestOptions } from 'node:https'
import type { LookupFunction } from 'node:net'
import { MOST_READ, type ReceivedAnswer } from '../../deliver/answer.ts'
import { clientFor, connectionError, DeadConnection } from '../aws/client.ts'
import { demandReachable, guardedLookup, type NetworkReach } from './guard.ts'

export interface Post {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Ends the time for the name, the connection, the headers and the body of the answer together. */
  readonly signal: AbortSignal
  /** How many bytes of the answer are read. */
  readonly mostRead?: number
  /** A private key and its certificates in PEM, for a server that asks for them. */
  readonly identity?: string | undefined
}

/** How to resolve names and whom to trust, if not as usual. */
export interface Surroundings {
  readonly resolve?: LookupFunction
  readonly ca?: RequestOptions['ca']
}

/**
 * Posts to one address, on a connection that is kept, and closed if an answer is longer than what is read of it. Follows
 * no redirect.
 * @returns a function that throws ClosedAddress, before anything is sent, for an address out of reach; otherwise the
 * Error of the connection; `ABORT_ERR` when the time is over
 */
export function guardedPost(
  url: URL,
  reach: NetworkReach,
  { resolve, ca }: Surroundings = {},
): (post: Post) => Promise<ReceivedAnswer> {
  const lookup = guardedLookup(reach, resolve)
  let kept: Agent | undefined

  /** @throws DeadConnection if a kept connection had ended before it was used again */
  function attempt(post: Post, agent: Agent | false): Promise<ReceivedAnswer> {
    const { headers, body, signal, mostRead = MOST_READ, identity } = post
    const { promise, resolve: settle, reject } = Promise.withResolvers<ReceivedAnswer>()
    let answer: (() => ReceivedAnswer) | undefined
    const finish = () => (answer ? settle(answer()) : reject(new Error('the connection was closed')))
    const shown = identity !== undefined && { key: identity, cert: identity }
    const options = { method: 'POST', headers, agent, lookup, signal, ...(ca && { ca }), ...shown }
    const outgoing = clientFor(url).request(url, options, (response) => {
      const { statusCode: status = 0, headers: given } = response
      const pieces: Buffer[] = []
      let length = 0
      answer = () => {
        const isWhole = response.complete && length <= mostRead
        return { status, headers: given, body: Buffer.concat(pieces).subarray(0, mostRead), isWhole }
      }
      response.on('data', (piece: Buffer) => {
        pieces.push(piece)
        length += piece.length
        if (length > mostRead) response.destroy()
      })
      // The status is known: an error in the rest of the answer does not change the result.
      response.on('error', finish).on('close', finish)
      signal.addEventListener('abort', finish)
    })
    outgoing.on('error', (error) => reject(answer ? error : connectionError(outgoing, error)))
    outgoing.on('close', finish)
    outgoing.end(body)
    return promise
  }

  return async (post) => {
    demandReachable(url, reach)
    kept ??= new (clientFor(url).Agent)({ keepAlive: true })
    try {
      return await attempt(post, kept)
    } catch (error) {
      if (!(error instanceof DeadConnection)) throw error
      return attempt(post, false)
    }
  }
}
