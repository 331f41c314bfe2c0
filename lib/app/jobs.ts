import { dynamoDueEvents } from '../adapters/dynamodb/due-events.ts'
import { dynamoRetryStore } from '../adapters/dynamodb/retry-store.ts'
import { sqsRetryQueue } from '../adapters/sqs/retry-queue.ts'
import { loadConfig } from '../platform/config.ts'
import { clockIds } from '../platform/ids.ts'
import { retrySettings } from '../platform/settings/retry.ts'
import { eventsStoreSettings, retryQueueSettings } from '../platform/settings/stores.ts'
import { announcingRetries } from '../webhooks/announce.ts'
import { EVERY_NAME } from '../webhooks/metrics.ts'
import { createRetries } from '../webhooks/retry.ts'
import { sourceOf } from '../webhooks/sources/by-name.ts'
import type { SweepParts } from '../webhooks/sweep.ts'
import { documents } from './documents.ts'
import { clock, log } from './edge.ts'
import { orders } from './order-effect.ts'
import { payments } from './payment-effect.ts'
import { queues } from './queues.ts'
import { reportingOf, reportingSettings } from './reporting.ts'
import { policyOf } from './retry-policy.ts'

const config = loadConfig({
  ...retrySettings,
  ...eventsStoreSettings,
  ...retryQueueSettings,
  ...reportingSettings,
})
const policy = policyOf(config)
const { audit, announcer, metrics, conclude } = reportingOf(config, 'worker', EVERY_NAME)

/** Where decisions and changes go, until the invocation is concluded. */
export const reporting = { audit, announcer, metrics }

const queue = sqsRetryQueue(queues, config.RETRY_QUEUE_URL)

/** The worker of the retry queue. */
export const retries = createRetries({
  store: announcingRetries(
    dynamoRetryStore(documents, { events: config.EVENTS_TABLE, effects: [payments, orders] }),
    announcer,
  ),
  queue,
  sourceOf,
  policy,
  clock,
  ids: clockIds(clock),
  audit,
  log,
})

/** The parts of the retry scan. */
export const sweepParts: SweepParts = {
  due: dynamoDueEvents(documents, config.EVENTS_TABLE),
  queue,
  policy,
  clock,
  metrics,
  log,
}

/** The result of an invocation, once all that it reports is out. */
export function concluded<T>(work: Promise<T>): Promise<T> {
  return work.finally(conclude)
}
