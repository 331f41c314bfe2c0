import type { Context, ScheduledEvent } from 'aws-lambda'
import { concluded, sweepParts } from '../../lib/app/jobs.ts'
import { type Swept, sweep } from '../../lib/webhooks/sweep.ts'

/** Time kept to end the page at hand, in milliseconds. */
const RESERVE = 5000

export const handler = (_event: ScheduledEvent, context: Context): Promise<Swept> =>
  concluded(
    sweep(sweepParts, new Date(sweepParts.clock.now().getTime() + context.getRemainingTimeInMillis() - RESERVE)),
  )
