import { dynamoCounter } from '../adapters/dynamodb/counter.ts'
import type { Trust } from '../http/message.ts'
import { type Config, loadConfig } from '../runtime/config.ts'
import type { Metrics } from '../runtime/metrics.ts'
import { edgeDeployed, edgeSettings } from '../runtime/settings/edge.ts'
import { countersStoreSettings } from '../runtime/settings/stores.ts'
import { securityDeployed, webhookSettings } from '../runtime/settings/webhooks.ts'
import { type Intake, proofPolicyOf } from '../webhooks/admit.ts'
import { createRateLimiter, NO_LIMIT, type RateLimiter, type Throttling } from '../webhooks/rate/limiter.ts'
import type { Catalog } from '../webhooks/sources/catalog.ts'
import { clock, contextOf, log } from './edge.ts'
import { observabilityOf, observabilitySettings } from './processing.ts'
import { webhookSecrets } from './sources.ts'
import { documents } from './stores.ts'
import { team } from './team.ts'

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
  const { audit, metrics, conclude } = await observabilityOf(config, 'intake', secrets)
  const context = contextOf(config)
  const intake: Intake & Throttling & Trust = {
    baseUrl: config.BASE_URL,
    limiter: limiterOf(config, metrics),
    trustedProxies: context.trustedProxies,
    secrets,
    toleranceSeconds: config.WEBHOOK_TOLERANCE_SECONDS,
    maxBodyBytes: config.WEBHOOK_MAX_BODY_BYTES,
    own: team.sources,
    proofOf: proofPolicyOf(config),
    clock,
    audit,
  }
  return { ...context, conclude, metrics, intake }
}

function limiterOf(given: Config<typeof intakeSettings>, metrics: Metrics): RateLimiter {
  const perMinute = given.WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE
  if (given.WEBHOOK_SECURITY_ENABLED === 'false' || perMinute === 0) return NO_LIMIT
  return createRateLimiter({
    counter: dynamoCounter(documents(), given.COUNTERS_TABLE, LIMITER_MS),
    perMinute,
    own: team.sources,
    clock,
    onFailure(cause, unjudged) {
      log.error('rate limit not enforced', { cause, unjudged })
      metrics.count('LimiterFailure')
    },
  })
}
