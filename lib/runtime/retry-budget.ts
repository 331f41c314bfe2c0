/** Second tries that a process may make. */
export interface RetryBudget {
  /** Takes one; false when none is left. */
  spend(): boolean
  /** Notes a try that went well. */
  earn(): void
}

/** Tokens at the start, and the most there can be. */
const CAPACITY = 10

/** Tokens a successful try adds: in an outage a server gets hardly more requests than when healthy. */
const SHARE = 0.1

/** AWS Builders' Library, "Timeouts, retries and backoff with jitter": a token bucket, filled by what goes well. */
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

/** What a try is to an AWS client: `RetryToken` of @smithy/types. */
interface Try {
  getRetryCount(): number
  /** In milliseconds. */
  getRetryDelay(): number
}

/**
 * The pause before the first second try is at most this long, in milliseconds, and twice as long before each further
 * one.
 */
const FIRST_PAUSE_MS = 50

/** The kinds of errors that may pass by themselves. */
const PASSING: readonly string[] = ['THROTTLING', 'TRANSIENT']

/**
 * How an AWS client tries again, out of a budget: `RetryStrategyV2` of @smithy/types. The client's own strategy has a
 * budget of a hundred second tries, and no option for another.
 * @param maxAttempts of one request, the first included
 */
export function retriesWithin(budget: RetryBudget, maxAttempts: number) {
  return {
    acquireInitialRetryToken: async (): Promise<Try> => tryAfter(0, 0),
    /** @throws Error when there is to be no other try; the client then throws what the last one did */
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
