import { type Sender, sqsClient, sqsReplayQueue, sqsRetryQueue } from '../adapters/sqs/retry-queue.ts'
import type { ReplayQueue } from '../webhooks/operate/replay.ts'
import type { RetryQueue } from '../webhooks/schedule.ts'

let opened: Sender | undefined

/** The SQS client of the process: all queues share its connections. */
function queues(): Sender {
  opened ??= sqsClient()
  return opened
}

export function retryQueue(url: string): RetryQueue {
  return sqsRetryQueue(queues(), url)
}

export function replayQueue(url: string): ReplayQueue {
  return sqsReplayQueue(queues(), url)
}
