import { sqsDeliveryQueue } from '../adapters/sqs/delivery-queue.ts'
import type { DeliveryQueue } from '../deliver/queue.ts'

/** What workers, scans and operators wait for a queue, in milliseconds. */
const TIMEOUT = 3000

/** The queues of the destinations. @param retryQueueUrl the queue beside which they are */
export function queuesOfDestinations(retryQueueUrl: string): DeliveryQueue {
  return sqsDeliveryQueue(retryQueueUrl, TIMEOUT)
}
