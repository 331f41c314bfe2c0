import { dynamoEventList } from '../adapters/dynamodb/event-list.ts'
import { dynamoOperatorStore } from '../adapters/dynamodb/operator-store.ts'
import { dynamoReplays } from '../adapters/dynamodb/replay-store.ts'
import { type Environment, loadConfig } from '../platform/config.ts'
import { eventsStoreSettings, replayStoreSettings, retryQueueSettings } from '../platform/settings/stores.ts'
import { EVERY_NAME } from '../webhooks/metrics.ts'
import { announcingOperators } from '../webhooks/operate/announce.ts'
import { makeChanging } from './changing.ts'
import { documents } from './clients.ts'
import { reportingOf, reportingSettings } from './processing.ts'
import { replayQueue, retryQueue } from './queues.ts'

/** For those who have webhooks run again. */
export async function makeManualRetry(environment?: Environment) {
  const settings = { ...eventsStoreSettings, ...retryQueueSettings, ...reportingSettings }
  const config = loadConfig(settings, [], environment)
  const { audit, announcer, conclude } = reportingOf(config, 'worker', EVERY_NAME)
  return {
    ...(await makeChanging(environment)),
    conclude,
    operators: announcingOperators(dynamoOperatorStore(documents(), config.EVENTS_TABLE), announcer),
    queue: retryQueue(config.RETRY_QUEUE_URL),
    audit,
  }
}

/** For those who have many webhooks run again. */
export async function makeReplays(environment?: Environment) {
  const config = loadConfig({ ...eventsStoreSettings, ...replayStoreSettings }, [], environment)
  return {
    ...(await makeChanging(environment)),
    list: dynamoEventList(documents(), config.EVENTS_TABLE),
    replays: dynamoReplays(documents(), config.REPLAYS_TABLE),
    replayQueue: replayQueue(config.REPLAY_QUEUE_URL),
  }
}
