import * as z from 'zod/mini'
import { decimal, listOf, parsed, whole } from './values.ts'

function delays(text: string): readonly number[] {
  const minutes = listOf(text).map((element) => z.safeParse(decimal(0, 525_600), element))
  if (minutes.length === 0) throw new Error('must hold at least one delay')
  return minutes.map((parsedDelay) => {
    if (!parsedDelay.success) throw new Error('must be minutes, separated by commas')
    return parsedDelay.data
  })
}

/** Spec part 8: how often, when and how a failed webhook event is tried again. */
export const retrySettings = {
  WEBHOOK_RETRY_MAX_ATTEMPTS: z._default(whole(0, 100), 3),
  WEBHOOK_RETRY_DELAY_MINUTES: z._default(parsed(delays), [5, 15, 60]),
  WEBHOOK_RETRY_SCAN_INTERVAL_MS: z._default(whole(100, 86_400_000), 300_000),
}
