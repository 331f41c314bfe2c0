import { dynamoCounter } from '../adapters/dynamodb/counter.ts'
import type { Trust } from '../http/message.ts'
import { type Config, loadConfig } from '../runtime/config.ts'
import type { Metrics } from '../runtime/metrics.ts'
import { edgeDeployed, edgeSettings } from '../runtime/settings/edge.ts'
import { countersStoreSettings } from '../runtime/settings/stores.ts'
import { securityDeployed, webhookSettings } from '../runtime/settings/webhooks.ts'
import type { Intake, ProofPolicy } from '../webhooks/admit.ts'
import type { Names } from '../webhooks/audit.ts'
import type { Throttling } from '../webhooks/rate/limiter.ts'
import { createRateLimiter, NO_LIMIT, type RateLimiter } from '../webhooks/rate/limiter.ts'
import type { Catalog } from '../webhooks/sources/catalog.ts'
import { clock, contextOf, log } from './edge.ts'
import { observabilityOf, observabilitySettings } from './processing.ts'
import { documents } from './stores.ts'
import { team } from './team.ts'
import { webhookSecrets } from './webhook-secrets.ts'

export const intakeSettings = {
  ...edgeSettings,
  ...webhookSettings,
  ...countersStoreSettings,
  ...observabilitySettings,
}

/** A sender waits for the limiter, so it must not take as long as a store may. In milliseconds. */
export const LIMITER_MS = 1000

export const intakeRules = [...edgeDeployed, ...securityDeployed]

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
export async function intakeOf(config: Config<typeof intakeSettings>, sources?: Catalog) {
  const secrets = await webhookSecrets(sources)
  const names: Names = { has: (name) => secrets.current.has(name) }
  const { audit, metrics, conclude } = observabilityOf(config, 'intake', names)
  const context = contextOf(config)
  const intake: Intake & Throttling & Trust = {
    baseUrl: config.BASE_URL,
    limiter: limiterOf(config, metrics),
    trustedProxies: context.trustedProxies,
    secrets,
    toleranceSeconds: config.WEBHOOK_TOLERANCE_SECONDS,
    maxBodyBytes: config.WEBHOOK_MAX_BODY_BYTES,
    ownMaxBodyBytes: (source) => team.sources?.[source]?.maxBodyBytes,
    proofOf: (source) => proofOf(source, config),
    clock,
    audit,
  }
  return { ...context, conclude, metrics, intake }
}

function limiterOf(given: Config<typeof intakeSettings>, metrics: Metrics): RateLimiter {
  const limitPerMinute = given.WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE
  if (given.WEBHOOK_SECURITY_ENABLED === 'false' || limitPerMinute === 0) return NO_LIMIT
  return createRateLimiter({
    counter: dynamoCounter(documents(), given.COUNTERS_TABLE, LIMITER_MS),
    limitOf: (source) => team.sources?.[source]?.rateLimitPerMinute ?? limitPerMinute,
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
