import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { makeReplayJob } from '../../lib/app/jobs.ts'
import { correlated } from '../../lib/runtime/correlation.ts'

const { concluded, clock, job } = makeReplayJob()

export const handler = (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
  const deadline = new Date(clock.now().getTime() + context.getRemainingTimeInMillis())
  const step = ({ body, messageId }: SQSRecord) => correlated({ messageId }, () => job.receive(body, deadline))
  return concluded(
    processPartialResponse(event, step, new BatchProcessor(EventType.SQS), { context, throwOnFullBatchFailure: false }),
  )
}
