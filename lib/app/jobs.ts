import { setTimeout } from 'node:timers/promises'
import { dynamoDueEvents } from '../adapters/dynamodb/due-events.ts'
import { dynamoEventList } from '../adapters/dynamodb/event-list.ts'
import { dynamoOperatorStore } from '../adapters/dynamodb/operator-store.ts'
import { dynamoReplayRuns } from '../adapters/dynamodb/replay-store.ts'
import { dynamoRetryStore } from '../adapters/dynamodb/retry-store.ts'
import { type Environment, loadConfig } from '../platform/config.ts'
import { clockIds } from '../platform/ids.ts'
import { retrySettings } from '../platform/settings/retry.ts'
import { eventsStoreSettings, replayStoreSettings, retryQueueSettings } from '../platform/settings/stores.ts'
import { announcingRetries } from '../webhooks/announce.ts'
import { EVERY_NAME } from '../webhooks/metrics.ts'
import { announcingOperators } from '../webhooks/operate/announce.ts'
import { createReplaySteps } from '../webhooks/operate/replay-steps.ts'
import { createRetries } from '../webhooks/retry.ts'
import { sourceOf } from '../webhooks/sources/by-name.ts'
import type { SweepParts } from '../webhooks/sweep.ts'
import { documents } from './clients.ts'
import { clock, log } from './edge.ts'
import { orders, payments, policyOf, reportingOf, reportingSettings } from './processing.ts'
import { replayQueue, retryQueue } from './queues.ts'

/** The worker of the retry queue. */
export function makeRetries(environment?: Environment) {
  const { config, reporting, concluded } = jobOf(environment)
  return { concluded, retries: retriesOf(config, reporting, environment) }
}

/** The worker of the replay queue. */
export function makeReplaySteps(environment?: Environment) {
  const { config, reporting, concluded } = jobOf(environment)
  const steps = createReplaySteps({
    ...replayRunsOf(environment),
    list: dynamoEventList(documents(), config.EVENTS_TABLE),
    operators: announcingOperators(dynamoOperatorStore(documents(), config.EVENTS_TABLE), reporting.announcer),
    attempt: retriesOf(config, reporting, environment).attempt,
    ids: clockIds(clock),
    audit: reporting.audit,
    metrics: reporting.metrics,
    log,
    wait: setTimeout,
  })
  return { concluded, clock, steps }
}

/** The retry scan. */
export function makeScan(environment?: Environment) {
  const { config, reporting, concluded } = jobOf(environment)
  const events: SweepParts = {
    due: dynamoDueEvents(documents(), config.EVENTS_TABLE),
    queue: retryQueue(config.RETRY_QUEUE_URL),
    policy: policyOf(config),
    clock,
    metrics: reporting.metrics,
    log,
  }
  return { concluded, events, replays: replayRunsOf(environment) }
}

type JobConfig = ReturnType<typeof configOf>
type Reporting = ReturnType<typeof reportingOf>

function configOf(environment?: Environment) {
  return loadConfig(
    { ...retrySettings, ...eventsStoreSettings, ...retryQueueSettings, ...reportingSettings },
    [],
    environment,
  )
}

function jobOf(environment?: Environment) {
  const config = configOf(environment)
  const reporting = reportingOf(config, 'worker', EVERY_NAME)

  /** The result of an invocation, once all that it reports is out. */
  function concluded<T>(work: Promise<T>): Promise<T> {
    return work.finally(reporting.conclude)
  }

  return { config, reporting, concluded }
}

function retriesOf(config: JobConfig, { audit, announcer }: Reporting, environment?: Environment) {
  const effects = [payments(environment), orders(environment)]
  const store = dynamoRetryStore(documents(), { events: config.EVENTS_TABLE, effects })
  return createRetries({
    store: announcingRetries(store, announcer),
    queue: retryQueue(config.RETRY_QUEUE_URL),
    sourceOf,
    policy: policyOf(config),
    clock,
    ids: clockIds(clock),
    audit,
    log,
  })
}

/** What wakes replays up, and what their steps share. */
function replayRunsOf(environment?: Environment) {
  const config = loadConfig(replayStoreSettings, [], environment)
  return {
    runs: dynamoReplayRuns(documents(), config.REPLAYS_TABLE),
    queue: replayQueue(config.REPLAY_QUEUE_URL),
    clock,
  }
}
