import { sqsDeliveryQueue } from '../adapters/sqs/delivery-queue.ts'
import { deliveringInserts } from '../deliver/delivering-inserts.ts'
import type { Destination } from '../deliver/destination.ts'
import type { EventStore } from '../webhooks/place.ts'
import { log } from './edge.ts'

/** How long an answer may be held up by hints to destinations, in milliseconds. */
const TIMEOUT = 400

/** The events that are delivered. */
export function deliveringFrom(
  events: EventStore,
  destinations: readonly Destination[],
  retryQueueUrl: string,
): EventStore {
  return deliveringInserts(events, { destinations, queue: sqsDeliveryQueue(retryQueueUrl, TIMEOUT), log })
}
