import type { Context, ScheduledEvent } from 'aws-lambda'
import { makeDeliveryScan } from '../../lib/app/deliveries.ts'
import { scanDeliveries } from '../../lib/deliver/scan.ts'
import { correlated } from '../../lib/runtime/correlation.ts'

const { concluded, parts } = makeDeliveryScan()

/** Time reserved to finish the current page, in milliseconds. */
const RESERVE = 5000

export const handler = (_event: ScheduledEvent, context: Context): Promise<{ readonly sent: number }> => {
  const deadline = new Date(parts.clock.now().getTime() + context.getRemainingTimeInMillis() - RESERVE)
  return concluded(correlated({ requestId: context.awsRequestId }, () => scanDeliveries(parts, deadline)))
}
