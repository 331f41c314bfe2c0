import type { Context, ScheduledEvent } from 'aws-lambda'
import { makeCanary } from '../../lib/app/canary.ts'
import { correlated } from '../../lib/runtime/correlation.ts'
import type { CanaryResult } from '../../lib/webhooks/canary/canary.ts'

const send = await makeCanary()

export const handler = (_event: ScheduledEvent, context: Context): Promise<CanaryResult> =>
  correlated({ requestId: context.awsRequestId }, send)
