import type { Buffer } from 'node:buffer'
import type { Agent } from 'node:http'
import type { RequestOptions } from 'node:https'
import type { LookupFunction } from 'node:net'
import { clientFor, connectionError, DeadConnection } from '../aws/request.ts'
import { demandReachable, guardedLookup, type NetworkReach } from './guard.ts'

export interface Post {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** For the name, the connection, the headers and the body of the answer together, in milliseconds. */
  readonly timeout: number
}

/** All that is kept of an answer. */
export interface PostAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
}

/** How names become addresses, and whom to trust, where that is not as usual. */
export interface Surroundings {
  readonly resolve?: LookupFunction
  readonly ca?: RequestOptions['ca']
}

/** So much of an answer is read that its connection can be kept, in bytes; the connection of a longer one is closed. */
const MAXIMUM_READ = 1024

/**
 * Posts to one address, on a connection that is kept. Follows no redirect.
 * @returns what throws ClosedAddress before anything is sent to a place that is out of reach, and otherwise the Error of
 * the connection; `ABORT_ERR` when the time is over
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
      // The status was said: whatever comes of the rest of the answer, it stands.
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
