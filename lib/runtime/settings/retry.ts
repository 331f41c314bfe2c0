import { decimal, listOf, parsed, whole, withDefault } from '../config.ts'

function delays(text: string): readonly number[] {
  const minutes = listOf(text)
  if (minutes.length === 0) throw new Error('must hold at least one delay')
  try {
    return minutes.map(decimal(0, 525_600).read)
  } catch {
    throw new Error('must be minutes, separated by commas')
  }
}

/** How often and when a failed webhook event is retried (retries-13, retries-16, retries-22). */
export const retrySettings = {
  /** How often a failed event is run again */
  WEBHOOK_RETRY_MAX_ATTEMPTS: withDefault(whole(0, 100), 3),
  /** How long after receipt, or after an operator's order, each time; fractions are fine */
  WEBHOOK_RETRY_DELAY_MINUTES: withDefault(parsed(delays), [5, 15, 60]),
  /** Between two scans for what no message woke up */
  WEBHOOK_RETRY_SCAN_INTERVAL_MS: withDefault(whole(100, 86_400_000), 300_000),
}
