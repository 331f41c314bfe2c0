import { dynamoEventList } from '../adapters/dynamodb/event-list.ts'
import { dynamoOperatorStore } from '../adapters/dynamodb/operator-store.ts'
import { dynamoReplays } from '../adapters/dynamodb/replay-store.ts'
import { destinationNames } from '../deliver/handler-file.ts'
import { type Environment, loadConfig } from '../runtime/config.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import { eventsStoreSettings, replayStoreSettings, retryQueueSettings } from '../runtime/settings/stores.ts'
import { makeChanging } from './changing.ts'
import { documents } from './clients.ts'
import { observabilityOf, observabilitySettings } from './processing.ts'
import { replayQueue, retryQueue } from './queues.ts'
import { team } from './team.ts'

/** For operators who run one webhook again. */
export async function makeManualRetry(environment?: Environment) {
  const settings = { ...eventsStoreSettings, ...retryQueueSettings, ...observabilitySettings }
  const config = loadConfig(settings, [], environment)
  const { audit, conclude } = observabilityOf(config, 'worker')
  return {
    ...(await makeChanging(environment)),
    conclude,
    operators: dynamoOperatorStore(documents(), config.EVENTS_TABLE),
    queue: retryQueue(config.RETRY_QUEUE_URL),
    audit,
  }
}

/** For operators who run many webhooks again. */
export async function makeReplays(environment?: Environment) {
  const settings = { STAGE: edgeSettings.STAGE, ...eventsStoreSettings, ...replayStoreSettings }
  const config = loadConfig(settings, [], environment)
  const names = destinationNames(team)
  return {
    ...(await makeChanging(environment)),
    list: dynamoEventList(documents(), config.EVENTS_TABLE),
    replays: dynamoReplays(documents(), config.REPLAYS_TABLE),
    replayQueue: replayQueue(config.REPLAY_QUEUE_URL),
    isDestination: (name: string) => names.has(name),
  }
}
