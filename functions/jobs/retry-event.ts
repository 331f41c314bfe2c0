import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { makeRetries } from '../../lib/app/jobs.ts'
import { correlated } from '../../lib/runtime/correlation.ts'

const { concluded, retries } = makeRetries()
const retry = ({ body, messageId }: SQSRecord) => correlated({ messageId }, () => retries.receive(body))

export const handler = (event: SQSEvent, context: Context): Promise<SQSBatchResponse> =>
  concluded(
    processPartialResponse(event, retry, new BatchProcessor(EventType.SQS), {
      context,
      throwOnFullBatchFailure: false,
    }),
  )
