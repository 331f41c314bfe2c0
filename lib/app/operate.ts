import { documentClient } from '../adapters/dynamodb/client.ts'
import { dynamoOperatorStore } from '../adapters/dynamodb/operator-store.ts'
import { sqsClient, sqsRetryQueue } from '../adapters/sqs/retry-queue.ts'
import { loadConfig } from '../platform/config.ts'
import { eventsStoreSettings, retryQueueSettings } from '../platform/settings/stores.ts'
import { EVERY_NAME } from '../webhooks/metrics.ts'
import { announcingOperators } from '../webhooks/operate/announce.ts'
import { app as api } from './api.ts'
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
  operators: announcingOperators(dynamoOperatorStore(documentClient(), config.EVENTS_TABLE), announcer),
  queue: sqsRetryQueue(sqsClient(), config.RETRY_QUEUE_URL),
  audit,
}
