import { setTimeout } from 'node:timers/promises'
import { dynamoDeliveryDesk, dynamoDeliveryStore } from '../adapters/dynamodb/delivery-store.ts'
import { dynamoDueDeliveries } from '../adapters/dynamodb/due-deliveries.ts'
import { dynamoEventReader, dynamoOperatorStore } from '../adapters/dynamodb/event-reader.ts'
import { dynamoHealthStore } from '../adapters/dynamodb/health-store.ts'
import { dynamoLastCalls } from '../adapters/dynamodb/refusals.ts'
import { dynamoReplayCounter, dynamoReplayRuns, dynamoReplays } from '../adapters/dynamodb/replays.ts'
import { dynamoDueEvents, dynamoRetryStore } from '../adapters/dynamodb/retry-store.ts'
import { destinationsOf } from '../deliver/configured/destinations.ts'
import { destinationNames } from '../deliver/handler-file.ts'
import { tellNews } from '../deliver/news.ts'
import { replayTarget } from '../deliver/operators/order.ts'
import { endRemoved } from '../deliver/scan.ts'
import { settleAll } from '../runtime/async.ts'
import { loadConfig } from '../runtime/config.ts'
import { clockIds } from '../runtime/ids.ts'
import { retrySettings } from '../runtime/settings/retry.ts'
import { replayStoreSettings } from '../runtime/settings/stores.ts'
import { announcingRetries } from '../webhooks/live/announcement.ts'
import { createReplayJob, scan } from '../webhooks/operators/replay-job.ts'
import { replayedRuns } from '../webhooks/operators/reset.ts'
import type { ScanParts, ScanResult } from '../webhooks/retry/scan.ts'
import { createRetries } from '../webhooks/retry/worker.ts'
import { catalogFrom } from '../webhooks/sources/catalog.ts'
import { clock, log } from './edge.ts'
import { newsOf, newsSettings } from './news.ts'
import { announcingOf, announcingSettings, orders, payments, policyOf } from './processing.ts'
import { queuesOfDestinations, replayQueue, retryQueue } from './queues.ts'
import { replayedListsIn } from './replayed-lists.ts'
import { documents, tableOf } from './stores.ts'
import { team } from './team.ts'

/** The worker of the retry queue. */
export async function makeRetries() {
  const { config, audit, announcer, conclude } = await jobOf()
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
export async function makeReplayJob() {
  const { config, audit, announcer, metrics, conclude } = await jobOf()
  const deliveries = config.DELIVERIES_TABLE
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
export async function makeScan() {
  const { config, news, audit, announcer, metrics, conclude } = await jobOf()
  const deliveries = config.DELIVERIES_TABLE
  const events: ScanParts = {
    store: announcingRetries(dynamoRetryStore(documents(), { events: config.EVENTS_TABLE, effects: [] }), announcer),
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

  const telling = news && {
    ...news,
    events: dynamoEventReader(documents(), config.EVENTS_TABLE),
    calls: dynamoLastCalls(documents(), tableOf('REFUSALS_TABLE')),
    expected: new Map(
      Object.entries(team.sources ?? {}).flatMap(([name, { expectEvery }]) =>
        expectEvery ? [[name, expectEvery]] : [],
      ),
    ),
    clock,
  }

  /** Each part runs to its end, even if another one fails. @throws the error of the first part that failed */
  async function scanAll(deadline: Date): Promise<ScanResult> {
    const parts = [
      scan(events, replays, deadline),
      endRemoved(removed, deadline),
      telling && tellNews(telling),
    ] as const
    const [swept] = await settleAll(parts)
    return swept
  }

  return { conclude, scanAll }
}

async function jobOf() {
  const config = loadConfig({ ...retrySettings, ...newsSettings, ...announcingSettings })
  const news = newsOf(config)
  return { config, news, ...(await announcingOf(config, 'worker', news?.count)) }
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
