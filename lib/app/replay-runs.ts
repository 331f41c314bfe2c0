import { dynamoReplayRuns } from '../adapters/dynamodb/replay-store.ts'
import { sqsReplayQueue } from '../adapters/sqs/retry-queue.ts'
import { loadConfig } from '../platform/config.ts'
import { replayStoreSettings } from '../platform/settings/stores.ts'
import { documents } from './documents.ts'
import { clock } from './edge.ts'
import { queues } from './queues.ts'

const config = loadConfig(replayStoreSettings)

/** What wakes replays up, and what their steps share. */
export const replayRuns = {
  runs: dynamoReplayRuns(documents, config.REPLAYS_TABLE),
  queue: sqsReplayQueue(queues, config.REPLAY_QUEUE_URL),
  clock,
}
