import type { Config } from '../platform/config.ts'
import type { retrySettings } from '../platform/settings/retry.ts'
import type { RetryPolicy } from '../webhooks/policy.ts'

const MINUTE = 60_000

/** More than the 15 seconds that the retry function may take, and the difference of two clocks. */
const LEASE = MINUTE

export function policyOf(config: Config<typeof retrySettings>): RetryPolicy {
  const [first = 0, ...others] = config.WEBHOOK_RETRY_DELAY_MINUTES.map((minutes) => minutes * MINUTE)
  return {
    maxAttempts: config.WEBHOOK_RETRY_MAX_ATTEMPTS,
    delays: [first, ...others],
    scanInterval: config.WEBHOOK_RETRY_SCAN_INTERVAL_MS,
    lease: LEASE,
  }
}
