import type { Context, ScheduledEvent } from 'aws-lambda'
import { makeRetention } from '../../lib/app/payloads.ts'
import { correlated } from '../../lib/runtime/correlation.ts'
import { deleteExpired, type RetentionResult } from '../../lib/webhooks/retention/job.ts'

const { concluded, parts } = makeRetention()

/** Time reserved to finish the current group, in milliseconds. */
const RESERVE = 15_000

export const handler = (_event: ScheduledEvent, context: Context): Promise<RetentionResult> => {
  const deadline = new Date(parts.clock.now().getTime() + context.getRemainingTimeInMillis() - RESERVE)
  return concluded(correlated({ requestId: context.awsRequestId }, () => deleteExpired(parts, deadline)))
}
