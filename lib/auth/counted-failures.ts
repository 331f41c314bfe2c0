import type { Metrics } from '../platform/metrics.ts'
import type { LoginFailures } from './login-failures.ts'

/** Counts what fails and what is refused unseen; whose name it was, and from where, is in no number. */
export function countedFailures(failures: LoginFailures, metrics: Metrics): LoginFailures {
  return {
    ...failures,
    async standingOf(username, address) {
      const standing = await failures.standingOf(username, address)
      if (standing.retryAfterSeconds !== undefined) metrics.count('LoginThrottled')
      return standing
    },
    record(username, address) {
      metrics.count('LoginFailed')
      return failures.record(username, address)
    },
  }
}
