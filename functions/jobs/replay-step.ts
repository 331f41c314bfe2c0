import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { concluded } from '../../lib/app/jobs.ts'
import { replayRuns } from '../../lib/app/replay-runs.ts'
import { replaySteps } from '../../lib/app/replay-steps.ts'
import { correlated } from '../../lib/platform/correlation.ts'

export const handler = (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
  const deadline = new Date(replayRuns.clock.now().getTime() + context.getRemainingTimeInMillis())
  const step = ({ body, messageId }: SQSRecord) => correlated({ messageId }, () => replaySteps.receive(body, deadline))
  return concluded(
    processPartialResponse(event, step, new BatchProcessor(EventType.SQS), { context, throwOnFullBatchFailure: false }),
  )
}
