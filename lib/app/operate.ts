import { dynamoOperatorStore } from '../adapters/dynamodb/operator-store.ts'
import { dynamoReplayCounter } from '../adapters/dynamodb/replay-counter.ts'
import { dynamoReplayList, dynamoReplays } from '../adapters/dynamodb/replay-store.ts'
import { destinationNames } from '../deliver/handler-file.ts'
import { loadConfig } from '../runtime/config.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import {
  deliveriesStoreSettings,
  eventsStoreSettings,
  replayStoreSettings,
  retryQueueSettings,
} from '../runtime/settings/stores.ts'
import { makeApi } from './api.ts'
import { makeChanging } from './changing.ts'
import { documents } from './clients.ts'
import { observabilityOf, observabilitySettings } from './processing.ts'
import { replayQueue, retryQueue } from './queues.ts'
import { replayedListsIn } from './replayed-lists.ts'
import { team } from './team.ts'

/** For operators who run one webhook again. */
export async function makeManualRetry() {
  const settings = { ...eventsStoreSettings, ...retryQueueSettings, ...observabilitySettings }
  const config = loadConfig(settings)
  const { audit, conclude } = observabilityOf(config, 'worker')
  return {
    ...(await makeChanging()),
    conclude,
    operators: dynamoOperatorStore(documents(), config.EVENTS_TABLE),
    queue: retryQueue(config.RETRY_QUEUE_URL),
    audit,
  }
}

/** For operators who run many webhooks again. */
export async function makeReplays() {
  const stores = { ...eventsStoreSettings, ...deliveriesStoreSettings, ...replayStoreSettings }
  const settings = { STAGE: edgeSettings.STAGE, ...stores }
  const config = loadConfig(settings)
  const names = destinationNames(team)
  return {
    ...(await makeChanging()),
    listOf: replayedListsIn({ events: config.EVENTS_TABLE, deliveries: config.DELIVERIES_TABLE }),
    replays: dynamoReplays(documents(), config.REPLAYS_TABLE),
    counter: replayCounter(),
    replayQueue: replayQueue(config.REPLAY_QUEUE_URL),
    isDestination: (name: string) => names.has(name),
  }
}

/** For operators who look at replays. */
export async function makeReplayList() {
  const { REPLAYS_TABLE } = loadConfig({ REPLAYS_TABLE: replayStoreSettings.REPLAYS_TABLE })
  const replays = dynamoReplayList(documents(), REPLAYS_TABLE)
  return { ...(await makeApi()), replays, counter: replayCounter() }
}

function replayCounter() {
  const config = loadConfig({ ...eventsStoreSettings, ...deliveriesStoreSettings })
  return dynamoReplayCounter(documents(), { events: config.EVENTS_TABLE, deliveries: config.DELIVERIES_TABLE })
}
