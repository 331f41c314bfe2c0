import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { correlated } from '../runtime/trace.ts'
import { clock } from './edge.ts'

/** Time that a scan reserves to finish its page, in milliseconds. */
const RESERVE = 5000

/** What ends an invocation: what it reports is sent, whether it succeeded or not. It must not reject. */
type Conclude = () => Promise<void>

const deadlineOf = (context: Context) => new Date(clock.now().getTime() + context.getRemainingTimeInMillis())

/** The handler of a queue: each message by itself, of which only the failed ones come again. */
export function onMessages(conclude: Conclude, receive: (body: string, deadline: Date) => Promise<unknown>) {
  return async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const deadline = deadlineOf(context)
    const one = ({ body, messageId }: SQSRecord) => correlated({ messageId }, () => receive(body, deadline))
    const processor = new BatchProcessor(EventType.SQS)
    try {
      return await processPartialResponse(event, one, processor, { context, throwOnFullBatchFailure: false })
    } finally {
      await conclude()
    }
  }
}

/** The handler of a schedule. @param run ends before the deadline */
export function onSchedule<T>(conclude: Conclude, run: (deadline: Date) => Promise<T>) {
  return async (_event: unknown, context: Context): Promise<T> => {
    const deadline = new Date(deadlineOf(context).getTime() - RESERVE)
    try {
      return await correlated({ requestId: context.awsRequestId }, () => run(deadline))
    } finally {
      await conclude()
    }
  }
}
