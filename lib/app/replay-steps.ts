import { setTimeout } from 'node:timers/promises'
import { documentClient } from '../adapters/dynamodb/client.ts'
import { dynamoEventList } from '../adapters/dynamodb/event-list.ts'
import { dynamoOperatorStore } from '../adapters/dynamodb/operator-store.ts'
import { dynamoReplayRuns } from '../adapters/dynamodb/replay-store.ts'
import { sqsClient, sqsReplayQueue } from '../adapters/sqs/retry-queue.ts'
import { loadConfig } from '../platform/config.ts'
import { clockIds } from '../platform/ids.ts'
import { eventsStoreSettings, replayStoreSettings } from '../platform/settings/stores.ts'
import { announcingOperators } from '../webhooks/operate/announce.ts'
import { createReplaySteps, type ReplayStepParts } from '../webhooks/operate/replay-steps.ts'
import { clock, log } from './edge.ts'
import { reporting, retries } from './jobs.ts'

const config = loadConfig({ EVENTS_TABLE: eventsStoreSettings.EVENTS_TABLE, ...replayStoreSettings })
const documents = documentClient()

export const replayParts: ReplayStepParts = {
  runs: dynamoReplayRuns(documents, config.REPLAYS_TABLE),
  list: dynamoEventList(documents, config.EVENTS_TABLE),
  operators: announcingOperators(dynamoOperatorStore(documents, config.EVENTS_TABLE), reporting.announcer),
  attempt: retries.attempt,
  queue: sqsReplayQueue(sqsClient(), config.REPLAY_QUEUE_URL),
  clock,
  ids: clockIds(clock),
  audit: reporting.audit,
  log,
  wait: setTimeout,
}

/** The worker of the replay queue. */
export const replaySteps = createReplaySteps(replayParts)
