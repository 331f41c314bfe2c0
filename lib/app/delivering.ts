import { sqsDeliveryQueue } from '../adapters/sqs/delivery-queue.ts'
import { destinationsOf } from '../deliver/configured/destinations.ts'
import { deliveringInserts } from '../deliver/delivering-inserts.ts'
import type { Config } from '../runtime/config.ts'
import type { WebhookEvent } from '../webhooks/event.ts'
import { failedEvent } from '../webhooks/live/announcement.ts'
import type { EventStore } from '../webhooks/place.ts'
import { log } from './edge.ts'
import { newsOf, type newsSettings } from './news.ts'
import { team } from './team.ts'

/** How long an answer may be held up by hints to destinations, in milliseconds. */
const TIMEOUT = 400

/** The events that are delivered. */
export function deliveringFrom(events: EventStore, config: Config<typeof newsSettings>): EventStore {
  const news = newsOf(config)
  const failed = (event: WebhookEvent) =>
    news?.count(failedEvent(event)).catch((cause) => log.warn('a failed event is not counted', { cause }))
  return deliveringInserts(events, {
    destinations: destinationsOf(team, config.STAGE),
    queue: sqsDeliveryQueue(config.RETRY_QUEUE_URL, TIMEOUT),
    log,
    failed,
  })
}
