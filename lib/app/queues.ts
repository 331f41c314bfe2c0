import { sqsClient } from '../adapters/sqs/retry-queue.ts'

/** The SQS client of the process: all queues share its connections. */
export const queues = sqsClient()
