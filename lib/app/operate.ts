import { dynamoOperatorStore } from '../adapters/dynamodb/operator-store.ts'
import { sqsRetryQueue } from '../adapters/sqs/retry-queue.ts'
import { loadConfig } from '../platform/config.ts'
import { eventsStoreSettings, retryQueueSettings } from '../platform/settings/stores.ts'
import { EVERY_NAME } from '../webhooks/metrics.ts'
import { announcingOperators } from '../webhooks/operate/announce.ts'
import { app as api } from './api.ts'
import { documents } from './documents.ts'
import { queues } from './queues.ts'
import { reportingOf, reportingSettings } from './reporting.ts'
import { sessionGuard } from './session-guard.ts'

const config = loadConfig({
  ...eventsStoreSettings,
  ...retryQueueSettings,
  ...reportingSettings,
})
const { audit, announcer, conclude } = reportingOf(config, 'worker', EVERY_NAME)

/** For those who have webhooks run again. */
export const app = {
  ...api,
  conclude,
  sessionGuard,
  operators: announcingOperators(dynamoOperatorStore(documents, config.EVENTS_TABLE), announcer),
  queue: sqsRetryQueue(queues, config.RETRY_QUEUE_URL),
  audit,
}
