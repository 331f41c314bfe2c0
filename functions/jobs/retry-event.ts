import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { concluded, retries } from '../../lib/app/jobs.ts'

export const handler = (event: SQSEvent, context: Context): Promise<SQSBatchResponse> =>
  concluded(
    processPartialResponse(event, ({ body }: SQSRecord) => retries.receive(body), new BatchProcessor(EventType.SQS), {
      context,
      throwOnFullBatchFailure: false,
    }),
  )
