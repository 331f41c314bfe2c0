import { setTimeout } from 'node:timers/promises'
import { dynamoEventList } from '../adapters/dynamodb/event-list.ts'
import { dynamoOperatorStore } from '../adapters/dynamodb/operator-store.ts'
import { loadConfig } from '../platform/config.ts'
import { clockIds } from '../platform/ids.ts'
import { eventsStoreSettings } from '../platform/settings/stores.ts'
import { announcingOperators } from '../webhooks/operate/announce.ts'
import { createReplaySteps } from '../webhooks/operate/replay-steps.ts'
import { documents } from './documents.ts'
import { clock, log } from './edge.ts'
import { reporting, retries } from './jobs.ts'
import { replayRuns } from './replay-runs.ts'

const { EVENTS_TABLE } = loadConfig(eventsStoreSettings)

/** The worker of the replay queue. */
export const replaySteps = createReplaySteps({
  ...replayRuns,
  list: dynamoEventList(documents, EVENTS_TABLE),
  operators: announcingOperators(dynamoOperatorStore(documents, EVENTS_TABLE), reporting.announcer),
  attempt: retries.attempt,
  ids: clockIds(clock),
  audit: reporting.audit,
  metrics: reporting.metrics,
  log,
  wait: setTimeout,
})
