import { sqsDeliveryQueue } from '../adapters/sqs/delivery-queue.ts'
import { type SqsSender, sqsClient, sqsReplayQueue, sqsRetryQueue } from '../adapters/sqs/retry-queue.ts'
import type { DeliveryQueue } from '../deliver/delivery.ts'
import type { RetryHint } from '../webhooks/event.ts'
import type { ReplayHint } from '../webhooks/operators/replay.ts'
import type { HintQueue } from '../work/hints.ts'

let opened: SqsSender | undefined

/** The SQS client of the process: all queues share its connections. */
function queues(): SqsSender {
  opened ??= sqsClient()
  return opened
}

export function retryQueue(url: string): HintQueue<RetryHint> {
  return sqsRetryQueue(queues(), url)
}

export function replayQueue(url: string): HintQueue<ReplayHint> {
  return sqsReplayQueue(queues(), url)
}

/** What workers, scans and operators wait for a queue, in milliseconds. */
const TIMEOUT = 3000

/** The queues of the destinations. @param retryQueueUrl the queue beside which they are */
export function queuesOfDestinations(retryQueueUrl: string): DeliveryQueue {
  return sqsDeliveryQueue(retryQueueUrl, TIMEOUT)
}
