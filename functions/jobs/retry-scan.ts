import type { Context, ScheduledEvent } from 'aws-lambda'
import { concluded, scan } from '../../lib/app/jobs.ts'
import type { Swept } from '../../lib/webhooks/sweep.ts'

/** Time kept to end the page at hand, in milliseconds. */
const RESERVE = 5000

export const handler = (_event: ScheduledEvent, context: Context): Promise<Swept> =>
  concluded(scan(context.getRemainingTimeInMillis() - RESERVE))
