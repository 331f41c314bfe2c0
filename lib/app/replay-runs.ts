import { documentClient } from '../adapters/dynamodb/client.ts'
import { dynamoReplayRuns } from '../adapters/dynamodb/replay-store.ts'
import { sqsClient, sqsReplayQueue } from '../adapters/sqs/retry-queue.ts'
import { loadConfig } from '../platform/config.ts'
import { replayStoreSettings } from '../platform/settings/stores.ts'
import { clock } from './edge.ts'

const config = loadConfig(replayStoreSettings)

/** What wakes replays up, and what their steps share. */
export const replayRuns = {
  runs: dynamoReplayRuns(documentClient(), config.REPLAYS_TABLE),
  queue: sqsReplayQueue(sqsClient(), config.REPLAY_QUEUE_URL),
  clock,
}
