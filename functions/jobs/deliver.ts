import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { makeDeliveries } from '../../lib/app/deliveries.ts'
import { correlated } from '../../lib/runtime/correlation.ts'

const { concluded, deliveries } = makeDeliveries()
const deliver = ({ body, messageId }: SQSRecord) => correlated({ messageId }, () => deliveries.receive(body))

export const handler = (event: SQSEvent, context: Context): Promise<SQSBatchResponse> =>
  concluded(
    processPartialResponse(event, deliver, new BatchProcessor(EventType.SQS), {
      context,
      throwOnFullBatchFailure: false,
    }),
  )
