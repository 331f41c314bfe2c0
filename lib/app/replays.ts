import { dynamoEventList } from '../adapters/dynamodb/event-list.ts'
import { dynamoReplays } from '../adapters/dynamodb/replay-store.ts'
import { sqsReplayQueue } from '../adapters/sqs/retry-queue.ts'
import { loadConfig } from '../platform/config.ts'
import { eventsStoreSettings, replayStoreSettings } from '../platform/settings/stores.ts'
import { app as api } from './api.ts'
import { documents } from './documents.ts'
import { queues } from './queues.ts'
import { sessionGuard } from './session-guard.ts'

const config = loadConfig({ ...eventsStoreSettings, ...replayStoreSettings })

/** For those who have many webhooks run again. */
export const app = {
  ...api,
  sessionGuard,
  list: dynamoEventList(documents, config.EVENTS_TABLE),
  replays: dynamoReplays(documents, config.REPLAYS_TABLE),
  replayQueue: sqsReplayQueue(queues, config.REPLAY_QUEUE_URL),
}
