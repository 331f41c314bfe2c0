import { dynamoCounter } from '../adapters/dynamodb/counter.ts'
import type { EffectKind } from '../adapters/dynamodb/effects.ts'
import { dynamoEventStore } from '../adapters/dynamodb/event-store.ts'
import { dynamoLastCalls, dynamoRefusalStore } from '../adapters/dynamodb/refusals.ts'
import { destinationsOf } from '../deliver/configured/destinations.ts'
import type { Trust } from '../http/client-address.ts'
import { keepingRefusals } from '../http/refused-call.ts'
import { type Config, loadConfig } from '../runtime/config.ts'
import { derived } from '../runtime/current.ts'
import { ended } from '../runtime/ended.ts'
import { clockIds } from '../runtime/ids.ts'
import { memoizeAsync } from '../runtime/memoize-async.ts'
import type { Metrics } from '../runtime/metrics.ts'
import { edgeDeployed, edgeSettings } from '../runtime/settings/edge.ts'
import { retrySettings } from '../runtime/settings/retry.ts'
import {
  countersStoreSettings,
  deliveriesStoreSettings,
  eventsStoreSettings,
  refusalsStoreSettings,
  retryQueueSettings,
} from '../runtime/settings/stores.ts'
import {
  securityDeployed,
  strongSecretsDeployed,
  webhookSecretSettings,
  webhookSettings,
} from '../runtime/settings/webhooks.ts'
import { systemTimers } from '../runtime/timers.ts'
import type { Intake, ProofPolicy } from '../webhooks/admit.ts'
import type { Names } from '../webhooks/audit.ts'
import type { RetryHint } from '../webhooks/event.ts'
import { createInbox } from '../webhooks/inbox.ts'
import { createCallNotes, notingAudit } from '../webhooks/last-calls.ts'
import type { EventStore } from '../webhooks/place.ts'
import type { Throttling } from '../webhooks/rate/limiter.ts'
import { createRateLimiter, NO_LIMIT, type RateLimiter } from '../webhooks/rate/limiter.ts'
import { secretsReadable } from '../webhooks/readable-secrets.ts'
import { createRefusalCounter, isEachWritten } from '../webhooks/refusals/refusal.ts'
import { retentionOf } from '../webhooks/retention/retention.ts'
import type { Catalog } from '../webhooks/sources/catalog.ts'
import type { HintQueue } from '../work/hints.ts'
import { clock, contextOf, log } from './edge.ts'
import { observabilityOf, observabilitySettings, policyOf } from './processing.ts'
import { secretConfig } from './secrets.ts'
import { documents } from './stores.ts'
import { team } from './team.ts'

const intakeSettings = {
  ...edgeSettings,
  ...webhookSettings,
  ...countersStoreSettings,
  ...observabilitySettings,
}

/** A sender waits for the limiter, so it must not take as long as a store may. In milliseconds. */
const LIMITER_MS = 1000

const intakeRules = [...edgeDeployed, ...securityDeployed]

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
  const audit = notingAudit(app.intake.audit, notes, { has: (source) => app.intake.secrets.current.has(source) })
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
  const conclude = async () => void (await ended([notes.written(), app.conclude()]))
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
  const destinations = destinationsOf(team, config.STAGE)
  if (destinations.length === 0) return events
  const { deliveringFrom } = await import('./delivering.ts')
  return deliveringFrom(events, destinations, config.RETRY_QUEUE_URL)
}

/** Loads its client for the first event that fails, because few events do. */
function retryQueueAt(url: string): HintQueue<RetryHint> {
  const open = memoizeAsync(async () => {
    const { retryQueue } = await import('./queues.ts')
    return retryQueue(url)
  })
  return { send: async (hint, delayMs) => (await open()).send(hint, delayMs) }
}

/**
 * For the questions of providers whether the address is ours, which leave nothing behind.
 * @throws ConfigError; ServiceError `UNAVAILABLE`
 */
export async function makeChallenges(sources: Catalog) {
  const config = loadConfig(intakeSettings, intakeRules)
  const app = await intakeOf(config, sources)
  return { ...app, asksByGet: sources.asksByGet }
}

/**
 * The layers before the inbox.
 * @param sources for an endpoint that takes the calls of several sources
 * @throws ConfigError; ServiceError `UNAVAILABLE`
 */
async function intakeOf(config: Config<typeof intakeSettings>, sources?: Catalog) {
  const secrets = await webhookSecrets(sources)
  const names: Names = { has: (name) => secrets.current.has(name) }
  const { audit, metrics, conclude } = observabilityOf(config, 'intake', names)
  const context = contextOf(config)
  const intake: Intake & Throttling & Trust = {
    baseUrl: config.BASE_URL,
    limiter: limiterOf(config, metrics, sources),
    trustedProxies: context.trustedProxies,
    secrets,
    toleranceSeconds: config.WEBHOOK_TOLERANCE_SECONDS,
    maxBodyBytes: config.WEBHOOK_MAX_BODY_BYTES,
    proofOf: (source) => proofOf(source, config),
    clock,
    audit,
  }
  return { ...context, conclude, metrics, intake }
}

function limiterOf(given: Config<typeof intakeSettings>, metrics: Metrics, sources?: Catalog): RateLimiter {
  const limitPerMinute = given.WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE
  if (given.WEBHOOK_SECURITY_ENABLED === 'false' || limitPerMinute === 0) return NO_LIMIT
  return createRateLimiter({
    counter: dynamoCounter(documents(), given.COUNTERS_TABLE, LIMITER_MS),
    limitOf: (source) => sources?.rateLimitOf(source) ?? limitPerMinute,
    clock,
    onFailure(cause, unjudged) {
      log.error('rate limit not enforced', { cause, unjudged })
      metrics.count('LimiterFailure')
    },
  })
}

/**
 * On the local stage `/webhooks/payment` accepts unsigned calls, unless a setting forbids it; every other call must be
 * signed.
 */
function proofOf(source: string, { STAGE, ...security }: Config<typeof intakeSettings>): ProofPolicy {
  if (security.WEBHOOK_SECURITY_ENABLED === 'false') return 'unchecked'
  if (source !== 'payment') return 'required'
  const fallback = STAGE === 'local' ? 'optional' : 'required'
  return (security.WEBHOOK_PAYMENT_SIGNATURE ?? fallback) === 'required' ? 'required' : 'if-sent'
}

/**
 * The secrets of webhooks by the name of their source.
 * @param sources whose schemes must be able to read them
 * @throws ConfigError; ServiceError `UNAVAILABLE`
 */
export async function webhookSecrets(sources?: Catalog) {
  const settings = { STAGE: edgeSettings.STAGE, ...webhookSecretSettings }
  const rules = [strongSecretsDeployed, ...(sources ? [secretsReadable(sources)] : [])]
  const secret = await secretConfig('webhooks', settings, rules)
  return derived(secret, ({ WEBHOOK_SECRETS }) => WEBHOOK_SECRETS)
}
