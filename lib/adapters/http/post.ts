import type { Buffer } from 'node:buffer'
import type { Agent } from 'node:http'
import type { RequestOptions } from 'node:https'
import type { LookupFunction } from 'node:net'
import { clientFor, connectionError, DeadConnection } from '../aws/client.ts'
import { demandReachable, guardedLookup, type NetworkReach } from './guard.ts'

export interface Post {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** The time for the name, the connection, the headers and the body of the answer together, in milliseconds. */
  readonly timeout: number
}

/** The part of an answer that is kept. */
export interface PostAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
}

/** How to resolve names and whom to trust, if not as usual. */
export interface Surroundings {
  readonly resolve?: LookupFunction
  readonly ca?: RequestOptions['ca']
}

/**
 * How much of an answer is read so that its connection can be kept, in bytes; the connection of a longer one is closed.
 */
const MAXIMUM_READ = 1024

/**
 * Posts to one address, on a connection that is kept. Follows no redirect.
 * @returns a function that throws ClosedAddress, before anything is sent, for an address out of reach; otherwise the
 * Error of the connection; `ABORT_ERR` when the time is over
 */
export function guardedPost(
  url: URL,
  reach: NetworkReach,
  { resolve, ca }: Surroundings = {},
): (post: Post) => Promise<PostAnswer> {
  const lookup = guardedLookup(reach, resolve)
  let kept: Agent | undefined

  /** @throws DeadConnection if a kept connection had ended before it was used again */
  function attempt({ headers, body }: Post, agent: Agent | false, signal: AbortSignal): Promise<PostAnswer> {
    const { promise, resolve: settle, reject } = Promise.withResolvers<PostAnswer>()
    let answer: PostAnswer | undefined
    const finish = () => (answer ? settle(answer) : reject(new Error('the connection was closed')))
    const options = { method: 'POST', headers, agent, lookup, signal, ...(ca && { ca }) }
    const outgoing = clientFor(url).request(url, options, (response) => {
      answer = { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] }
      let length = 0
      response.on('data', (piece: Buffer) => {
        length += piece.length
        if (length > MAXIMUM_READ) response.destroy()
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
    const alarm = new AbortController()
    const timer = setTimeout(() => alarm.abort(), post.timeout)
    try {
      return await attempt(post, kept, alarm.signal)
    } catch (error) {
      if (!(error instanceof DeadConnection)) throw error
      return await attempt(post, false, alarm.signal)
    } finally {
      clearTimeout(timer)
    }
  }
}
