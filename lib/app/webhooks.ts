import type { EffectKind } from '../adapters/dynamodb/effect-writes.ts'
import { dynamoEventStore } from '../adapters/dynamodb/event-store.ts'
import { dynamoRateCounter } from '../adapters/dynamodb/rate-counter.ts'
import type { Trust } from '../http/client-address.ts'
import { type Config, type Environment, loadConfig } from '../runtime/config.ts'
import { derived } from '../runtime/current.ts'
import { clockIds } from '../runtime/ids.ts'
import { memoizeAsync } from '../runtime/memoize-async.ts'
import type { Metrics } from '../runtime/metrics.ts'
import { edgeDeployed, edgeSettings } from '../runtime/settings/edge.ts'
import { retrySettings } from '../runtime/settings/retry.ts'
import { countersStoreSettings, eventsStoreSettings, retryQueueSettings } from '../runtime/settings/stores.ts'
import {
  securityDeployed,
  strongSecretsDeployed,
  webhookSecretSettings,
  webhookSettings,
} from '../runtime/settings/webhooks.ts'
import type { Intake, ProofPolicy } from '../webhooks/admit.ts'
import { createInbox } from '../webhooks/inbox.ts'
import type { Names } from '../webhooks/metrics.ts'
import { publishingInserts } from '../webhooks/publish-change.ts'
import { createRateLimiter, NO_LIMIT, type RateLimiter } from '../webhooks/rate/limiter.ts'
import type { Throttling } from '../webhooks/rate/throttle.ts'
import { secretsReadable } from '../webhooks/readable-secrets.ts'
import type { RetryQueue } from '../webhooks/retry/queue.ts'
import type { Catalog } from '../webhooks/sources/catalog.ts'
import { documents } from './clients.ts'
import { clock, contextOf, log } from './edge.ts'
import { observabilityOf, observabilitySettings, policyOf } from './processing.ts'
import { secretConfig } from './secrets.ts'

const secretSettings = { STAGE: edgeSettings.STAGE, ...webhookSecretSettings }
const settings = {
  ...edgeSettings,
  ...webhookSettings,
  ...retrySettings,
  ...countersStoreSettings,
  ...eventsStoreSettings,
  ...retryQueueSettings,
  ...observabilitySettings,
}

/**
 * For webhook endpoints.
 * @param effects the kinds of rows that their events change
 * @param sources for an endpoint that takes the events of several sources
 * @throws ConfigError; ServiceError `UNAVAILABLE`
 */
export async function makeWebhooks(effects: readonly EffectKind[], sources?: Catalog, environment?: Environment) {
  const config = loadConfig(settings, [...edgeDeployed, ...securityDeployed], environment)
  const rules = [strongSecretsDeployed, ...(sources ? [secretsReadable(sources)] : [])]
  const secret = await secretConfig('webhooks', secretSettings, rules, environment)
  const secrets = derived(secret, ({ WEBHOOK_SECRETS }) => WEBHOOK_SECRETS)
  const names: Names = { has: (name) => secrets.current.has(name) }
  const { audit, publisher, metrics, conclude } = observabilityOf(config, 'intake', names)
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
  const inbox = createInbox({
    events: publishingInserts(dynamoEventStore(documents(), { events: config.EVENTS_TABLE, effects }), publisher),
    queue: retryQueueAt(config.RETRY_QUEUE_URL),
    policy: policyOf(config),
    clock,
    ids: clockIds(clock),
    audit,
    log,
  })
  return { ...context, conclude, intake, inbox }
}

/** Loads its client for the first event that fails, because few events do. */
function retryQueueAt(url: string): RetryQueue {
  const open = memoizeAsync(async () => {
    const { retryQueue } = await import('./queues.ts')
    return retryQueue(url)
  })
  return { send: async (hint, delayMs) => (await open()).send(hint, delayMs) }
}

function limiterOf(given: Config<typeof settings>, metrics: Metrics, sources?: Catalog): RateLimiter {
  const limitPerMinute = given.WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE
  if (given.WEBHOOK_SECURITY_ENABLED === 'false' || limitPerMinute === 0) return NO_LIMIT
  return createRateLimiter({
    counter: dynamoRateCounter(documents(), given.COUNTERS_TABLE),
    limitOf: (source) => sources?.rateLimitOf(source) ?? limitPerMinute,
    clock,
    onFailure(cause, unjudged) {
      log.error('rate limit not enforced', { cause, unjudged })
      metrics.count('LimiterFailure')
    },
  })
}

/**
 * On the local stage `/webhooks/payment` may go unsigned, unless a setting forbids it; every other call has to be
 * signed.
 */
function proofOf(source: string, { STAGE, ...security }: Config<typeof settings>): ProofPolicy {
  if (security.WEBHOOK_SECURITY_ENABLED === 'false') return 'unchecked'
  if (source !== 'payment') return 'required'
  const fallback = STAGE === 'local' ? 'optional' : 'required'
  return (security.WEBHOOK_PAYMENT_SIGNATURE ?? fallback) === 'required' ? 'required' : 'if-sent'
}
