import { dynamoCounter } from '../adapters/dynamodb/counter.ts'
import type { EffectKind } from '../adapters/dynamodb/effects.ts'
import { dynamoEventStore } from '../adapters/dynamodb/event-store.ts'
import { dynamoLastCalls, dynamoRefusalStore } from '../adapters/dynamodb/refusals.ts'
import { destinationNames } from '../deliver/handler-file.ts'
import type { Call } from '../http/middleware/call.ts'
import { keepingRefusals } from '../http/refused-call.ts'
import { settleAll, systemTimers } from '../runtime/async.ts'
import { memoizeAsync } from '../runtime/cache.ts'
import { type Config, loadConfig } from '../runtime/config.ts'
import { clockIds } from '../runtime/ids.ts'
import { retrySettings } from '../runtime/settings/retry.ts'
import {
  deliveriesStoreSettings,
  eventsStoreSettings,
  refusalsStoreSettings,
  retryQueueSettings,
} from '../runtime/settings/stores.ts'
import type { RetryHint } from '../webhooks/event.ts'
import { createInbox } from '../webhooks/inbox.ts'
import { createCallNotes, notingAudit } from '../webhooks/last-calls.ts'
import type { EventStore } from '../webhooks/place.ts'
import { createRefusalCounter, isEachWritten } from '../webhooks/refusals/refusal.ts'
import { retentionOf } from '../webhooks/retention/retention.ts'
import type { Catalog } from '../webhooks/sources/catalog.ts'
import type { HintQueue } from '../work/hints.ts'
import { clock, log } from './edge.ts'
import { intakeOf, intakeRules, intakeSettings, LIMITER_MS } from './intake.ts'
import { policyOf } from './processing.ts'
import { documents } from './stores.ts'
import { team } from './team.ts'

const settings = {
  ...intakeSettings,
  ...retrySettings,
  ...deliveriesStoreSettings,
  ...eventsStoreSettings,
  ...refusalsStoreSettings,
  ...retryQueueSettings,
}

/**
 * For webhook endpoints.
 * @param effects the kinds of rows that their events change
 * @param sources for an endpoint that takes the events of several sources
 * @throws ConfigError; ServiceError `UNAVAILABLE`
 */
export async function makeWebhooks(effects: readonly EffectKind[], sources?: Catalog) {
  const config = loadConfig(settings, intakeRules)
  const app = await intakeOf(config, sources)
  const lastCalls = dynamoLastCalls(documents(), config.REFUSALS_TABLE)
  const notes = createCallNotes({ store: lastCalls, clock, timers: systemTimers, log })
  const audit = notingAudit(app.intake.audit, notes, app.intake.secrets)
  const intake = { ...app.intake, audit }
  const retention = retentionOf(team)
  const tables = { events: config.EVENTS_TABLE, effects, deliveries: config.DELIVERIES_TABLE, retention }
  const parts = { policy: policyOf(config), clock, ids: clockIds(clock) }
  const inbox = createInbox({
    ...parts,
    events: await delivering(dynamoEventStore(documents(), tables), config),
    queue: retryQueueAt(config.RETRY_QUEUE_URL),
    audit,
    log,
  })
  await connect(config.COUNTERS_TABLE)
  const store = dynamoRefusalStore(documents(), config.REFUSALS_TABLE)
  const pause = isEachWritten(config) ? { pauseMs: 0 } : {}
  const counter = createRefusalCounter({ store, clock, timers: systemTimers, log, ...pause })
  const conclude = async (call?: Call) => void (await settleAll([notes.written(), app.conclude(call)]))
  return { ...app, intake, conclude, inbox, refused: keepingRefusals({ intake, counter, log }) }
}

/** No caller has this name, and no tally this window: the table answers and writes nothing. */
const NOBODY = '#'
const NEVER = { window: -1, before: 0, taken: 0, spare: 0 }

/**
 * Opens the connection to the store while the function starts, so that the first webhook does not wait for it. It costs
 * one write unit. If the store cannot be reached, that webhook meets the same error and reports it.
 */
async function connect(counters: string): Promise<void> {
  const opening = dynamoCounter(documents(), counters, LIMITER_MS).rollOver(NOBODY, NEVER, NEVER, clock.now())
  await opening.catch(() => undefined)
}

/** Loads what hands events on only where there are destinations. */
async function delivering(events: EventStore, config: Config<typeof settings>): Promise<EventStore> {
  if (destinationNames(team).size === 0) return events
  const { deliveringFrom } = await import('./delivering.ts')
  return deliveringFrom(events, config)
}

/** Loads its client for the first event that fails, because few events do. */
function retryQueueAt(url: string): HintQueue<RetryHint> {
  const open = memoizeAsync(async () => {
    const { retryQueue } = await import('./queues.ts')
    return retryQueue(url)
  })
  return { send: async (hint, delayMs) => (await open()).send(hint, delayMs) }
}
