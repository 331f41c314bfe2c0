import { Buffer } from 'node:buffer'
import type { Readable } from 'node:stream'

/** The retries that a process may make. */
export interface RetryBudget {
  /** Takes one retry; false if none is left. */
  spend(): boolean
  /** Records a successful try. */
  earn(): void
}

/** Tokens at the start, and the maximum. */
const CAPACITY = 10

/** Tokens that a successful try adds: in an outage a server gets hardly more requests than usual. */
const SHARE = 0.1

/** AWS Builders' Library, "Timeouts, retries and backoff with jitter": a token bucket that successful tries fill. */
export function createRetryBudget(): RetryBudget {
  let left = CAPACITY
  return {
    spend() {
      if (left < 1) return false
      left -= 1
      return true
    },
    earn() {
      left = Math.min(CAPACITY, left + SHARE)
    },
  }
}

/** A try of an AWS client: `RetryToken` of @smithy/types. */
interface Try {
  getRetryCount(): number
  /** In milliseconds. */
  getRetryDelay(): number
}

/** The first retry follows after at most so many milliseconds; each further one may take twice as long. */
const FIRST_PAUSE_MS = 50

/** The kinds of errors that a retry may overcome. */
const PASSING: readonly string[] = ['THROTTLING', 'TRANSIENT']

/**
 * The retries of an AWS client within a budget: `RetryStrategyV2` of @smithy/types. The client's own strategy has a
 * budget of a hundred retries, and no option for another.
 * @param maxAttempts of one request, the first included
 */
export function retriesWithin(budget: RetryBudget, maxAttempts: number) {
  return {
    acquireInitialRetryToken: async (): Promise<Try> => tryAfter(0, 0),
    /** @throws Error when no other try is allowed; the client then throws the error of the last one */
    async refreshRetryTokenForRetry(last: Try, { errorType }: { readonly errorType: string }): Promise<Try> {
      const count = last.getRetryCount() + 1
      if (count >= maxAttempts || !PASSING.includes(errorType) || !budget.spend()) throw new Error('no other try')
      return tryAfter(count, Math.random() * FIRST_PAUSE_MS * 2 ** (count - 1))
    },
    recordSuccess: (): void => budget.earn(),
  }
}

function tryAfter(count: number, delay: number): Try {
  return { getRetryCount: () => count, getRetryDelay: () => delay }
}

/**
 * All bytes of an answer; what AWS clients take for a `streamCollector`. Their own asks first whether the answer is a web
 * stream, for which Node loads web streams: a twelfth of a cold start.
 * @throws Error when the connection breaks before the end
 */
export function bytesIn(answer: Readable): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const pieces: Buffer[] = []
  answer.on('data', (piece: Buffer) => pieces.push(piece))
  answer.on('end', () => resolve(Buffer.concat(pieces)))
  answer.on('error', reject)
  return promise
}

/** A client that does not copy each call and its answer for a log of its own, which we do not have. */
export function withoutLog<C extends { readonly middlewareStack: { remove(name: string): boolean } }>(client: C): C {
  client.middlewareStack.remove('loggerMiddleware')
  return client
}
