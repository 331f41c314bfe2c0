import { setTimeout } from 'node:timers/promises'
import { dynamoDeliveryDesk, dynamoDeliveryStore } from '../adapters/dynamodb/delivery-store.ts'
import { dynamoDueDeliveries } from '../adapters/dynamodb/due-deliveries.ts'
import { dynamoEventReader, dynamoOperatorStore } from '../adapters/dynamodb/event-reader.ts'
import { dynamoHealthStore } from '../adapters/dynamodb/health-store.ts'
import { dynamoReplayCounter, dynamoReplayRuns, dynamoReplays } from '../adapters/dynamodb/replays.ts'
import { dynamoDueEvents, dynamoRetryStore } from '../adapters/dynamodb/retry-store.ts'
import { destinationsOf } from '../deliver/configured/destinations.ts'
import { destinationNames } from '../deliver/handler-file.ts'
import { replayTarget } from '../deliver/operators/order.ts'
import { endRemoved, type RemovedParts } from '../deliver/scan.ts'
import { settleAll } from '../runtime/async.ts'
import { loadConfig } from '../runtime/config.ts'
import { clockIds } from '../runtime/ids.ts'
import { retrySettings } from '../runtime/settings/retry.ts'
import { eventsStoreSettings, replayStoreSettings, retryQueueSettings } from '../runtime/settings/stores.ts'
import { announcingRetries } from '../webhooks/announce-ends.ts'
import { createReplayJob } from '../webhooks/operators/replay-job.ts'
import { replayedRuns } from '../webhooks/operators/reset.ts'
import { scan } from '../webhooks/operators/scan.ts'
import type { ScanParts, ScanResult } from '../webhooks/retry/scan.ts'
import { createRetries } from '../webhooks/retry/worker.ts'
import { catalogFrom } from '../webhooks/sources/catalog.ts'
import { clock, log } from './edge.ts'
import { announcingOf, announcingSettings, orders, payments, policyOf } from './processing.ts'
import { queuesOfDestinations, replayQueue, retryQueue } from './queues.ts'
import { replayedListsIn } from './replayed-lists.ts'
import { documents, tableOf } from './stores.ts'
import { team } from './team.ts'

/** The worker of the retry queue. */
export function makeRetries() {
  const { config, reporting } = jobOf()
  return { conclude: reporting.conclude, retries: retriesOf(config, reporting) }
}

/** The worker of the replay queue. */
export function makeReplayJob() {
  const { config, reporting } = jobOf()
  const deliveries = tableOf('DELIVERIES_TABLE')
  const { audit, announcer, metrics } = reporting
  const deliver = replayTarget({
    destinations: destinationsOf(team, config.STAGE),
    desk: dynamoDeliveryDesk(documents(), deliveries),
    events: dynamoEventReader(documents(), config.EVENTS_TABLE),
    health: dynamoHealthStore(documents(), deliveries),
    queue: queuesOfDestinations(config.RETRY_QUEUE_URL),
    audit,
    log,
  })
  const run = replayedRuns({
    operators: dynamoOperatorStore(documents(), config.EVENTS_TABLE),
    queue: retryQueue(config.RETRY_QUEUE_URL),
    audit,
    log,
  })
  const job = createReplayJob({
    ...replayRunsOf(),
    counter: dynamoReplayCounter(documents(), { events: config.EVENTS_TABLE, deliveries }),
    listOf: replayedListsIn({ events: config.EVENTS_TABLE, deliveries }),
    order: (key, order, replay) => (replay.destination === undefined ? run : deliver)(key, order, replay),
    announcer,
    metrics,
    log,
    wait: setTimeout,
  })
  return { conclude: reporting.conclude, job }
}

/** The retry scan. */
export function makeScan() {
  const { config, reporting } = jobOf()
  const { audit, metrics } = reporting
  const events: ScanParts = {
    store: dynamoRetryStore(documents(), { events: config.EVENTS_TABLE, effects: [] }),
    due: dynamoDueEvents(documents(), config.EVENTS_TABLE),
    queue: retryQueue(config.RETRY_QUEUE_URL),
    policy: policyOf(config),
    clock,
    audit,
    metrics,
    log,
  }
  const replays = replayRunsOf()
  const removed = removedOf(reporting)

  /** Each part runs to its end, even if another one fails. @throws the error of the first part that failed */
  async function scanAll(deadline: Date): Promise<ScanResult> {
    const [swept] = await settleAll([scan(events, replays, deadline), endRemoved(removed, deadline)])
    return swept
  }

  return { conclude: reporting.conclude, scanAll }
}

/** The parts of the job that ends waiting deliveries to removed destinations. */
function removedOf({ metrics, announcer }: Reporting): RemovedParts {
  const deliveries = tableOf('DELIVERIES_TABLE')
  return {
    names: destinationNames(team),
    store: dynamoDeliveryStore(documents(), deliveries),
    due: dynamoDueDeliveries(documents(), deliveries),
    health: dynamoHealthStore(documents(), deliveries),
    clock,
    deaths: announcer,
    metrics,
    log,
  }
}

type JobConfig = ReturnType<typeof configOf>
type Reporting = ReturnType<typeof announcingOf>

function configOf() {
  return loadConfig({ ...retrySettings, ...eventsStoreSettings, ...retryQueueSettings, ...announcingSettings })
}

function jobOf() {
  const config = configOf()
  const reporting = announcingOf(config, 'worker')
  return { config, reporting }
}

function retriesOf(config: JobConfig, { audit, announcer }: Reporting) {
  const effects = [payments(), orders()]
  const store = dynamoRetryStore(documents(), { events: config.EVENTS_TABLE, effects })
  return createRetries({
    store: announcingRetries(store, announcer),
    queue: retryQueue(config.RETRY_QUEUE_URL),
    sourceOf: catalogFrom(team).sourceOf,
    policy: policyOf(config),
    clock,
    ids: clockIds(clock),
    audit,
    log,
  })
}

/** The parts that the scan of replays and their job share. */
function replayRunsOf() {
  const config = loadConfig(replayStoreSettings)
  return {
    replays: dynamoReplays(documents(), config.REPLAYS_TABLE),
    runs: dynamoReplayRuns(documents(), config.REPLAYS_TABLE),
    queue: replayQueue(config.REPLAY_QUEUE_URL),
    clock,
  }
}
