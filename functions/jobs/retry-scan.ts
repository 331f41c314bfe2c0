import type { Context, ScheduledEvent } from 'aws-lambda'
import { makeScan } from '../../lib/app/jobs.ts'
import { correlated } from '../../lib/runtime/correlation.ts'
import type { ScanResult } from '../../lib/webhooks/retry/scan.ts'

const { concluded, clock, scanAll } = makeScan()

/** Time reserved to finish the current page, in milliseconds. */
const RESERVE = 5000

export const handler = (_event: ScheduledEvent, context: Context): Promise<ScanResult> => {
  const deadline = new Date(clock.now().getTime() + context.getRemainingTimeInMillis() - RESERVE)
  return concluded(correlated({ requestId: context.awsRequestId }, () => scanAll(deadline)))
}
