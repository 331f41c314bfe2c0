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
import { endRemoved } from '../deliver/scan.ts'
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
  const { config, audit, announcer, conclude } = jobOf()
  const store = dynamoRetryStore(documents(), { events: config.EVENTS_TABLE, effects: [payments(), orders()] })
  const retries = createRetries({
    store: announcingRetries(store, announcer),
    queue: retryQueue(config.RETRY_QUEUE_URL),
    sourceOf: catalogFrom(team).sourceOf,
    policy: policyOf(config),
    clock,
    ids: clockIds(clock),
    audit,
    log,
  })
  return { conclude, retries }
}

/** The worker of the replay queue. */
export function makeReplayJob() {
  const { config, audit, announcer, metrics, conclude } = jobOf()
  const deliveries = tableOf('DELIVERIES_TABLE')
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
  return { conclude, job }
}

/** The retry scan. */
export function makeScan() {
  const { config, audit, announcer, metrics, conclude } = jobOf()
  const deliveries = tableOf('DELIVERIES_TABLE')
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
  const removed = {
    names: destinationNames(team),
    store: dynamoDeliveryStore(documents(), deliveries),
    due: dynamoDueDeliveries(documents(), deliveries),
    health: dynamoHealthStore(documents(), deliveries),
    clock,
    deaths: announcer,
    metrics,
    log,
  }

  /** Each part runs to its end, even if another one fails. @throws the error of the first part that failed */
  async function scanAll(deadline: Date): Promise<ScanResult> {
    const [swept] = await settleAll([scan(events, replays, deadline), endRemoved(removed, deadline)])
    return swept
  }

  return { conclude, scanAll }
}

function jobOf() {
  const settings = { ...retrySettings, ...eventsStoreSettings, ...retryQueueSettings, ...announcingSettings }
  const config = loadConfig(settings)
  return { config, ...announcingOf(config, 'worker') }
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
