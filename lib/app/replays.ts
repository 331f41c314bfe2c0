import { documentClient } from '../adapters/dynamodb/client.ts'
import { dynamoEventList } from '../adapters/dynamodb/event-list.ts'
import { dynamoReplays } from '../adapters/dynamodb/replay-store.ts'
import { sqsClient, sqsReplayQueue } from '../adapters/sqs/retry-queue.ts'
import { loadConfig } from '../platform/config.ts'
import { eventsStoreSettings, replayStoreSettings } from '../platform/settings/stores.ts'
import { app as api } from './api.ts'
import { sessionGuard } from './session-guard.ts'

const config = loadConfig({ ...eventsStoreSettings, ...replayStoreSettings })
const documents = documentClient()

/** For those who have many webhooks run again. */
export const app = {
  ...api,
  sessionGuard,
  list: dynamoEventList(documents, config.EVENTS_TABLE),
  replays: dynamoReplays(documents, config.REPLAYS_TABLE),
  replayQueue: sqsReplayQueue(sqsClient(), config.REPLAY_QUEUE_URL),
}
