import type { Context, ScheduledEvent } from 'aws-lambda'
import { concluded, sweepParts } from '../../lib/app/jobs.ts'
import { replayRuns } from '../../lib/app/replay-runs.ts'
import { correlated } from '../../lib/platform/correlation.ts'
import { scan } from '../../lib/webhooks/operate/scan.ts'
import type { Swept } from '../../lib/webhooks/sweep.ts'

/** Time kept to end the page at hand, in milliseconds. */
const RESERVE = 5000

export const handler = (_event: ScheduledEvent, context: Context): Promise<Swept> => {
  const deadline = new Date(sweepParts.clock.now().getTime() + context.getRemainingTimeInMillis() - RESERVE)
  return concluded(correlated({ requestId: context.awsRequestId }, () => scan(sweepParts, replayRuns, deadline)))
}
