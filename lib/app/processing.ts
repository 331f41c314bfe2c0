import { snsPublisher } from '../adapters/aws/sns.ts'
import type { EffectKind } from '../adapters/dynamodb/effect-writes.ts'
import { orderEffect } from '../adapters/dynamodb/order-write.ts'
import { paymentEffect } from '../adapters/dynamodb/payment-write.ts'
import { emfMetrics } from '../adapters/emf/metrics.ts'
import { type Config, type Environment, loadConfig } from '../runtime/config.ts'
import { asciiJson } from '../runtime/message-text.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import type { retrySettings } from '../runtime/settings/retry.ts'
import { ordersStoreSettings, paymentsStoreSettings } from '../runtime/settings/stores.ts'
import { optional, text } from '../runtime/settings/values.ts'
import { logAudit } from '../webhooks/audit.ts'
import { type Announcement, createAnnouncer } from '../webhooks/live/announcement.ts'
import { countingAudit, type DecisionPlace, type Names } from '../webhooks/metrics.ts'
import type { RetryPolicy } from '../webhooks/retry/policy.ts'
import { clock, log } from './edge.ts'

/** The effects of webhooks that change payments. @throws ConfigError */
export function payments(environment?: Environment): EffectKind {
  return paymentEffect(loadConfig(paymentsStoreSettings, [], environment).PAYMENTS_TABLE)
}

/** The effects of webhooks that change orders. @throws ConfigError */
export function orders(environment?: Environment): EffectKind {
  return orderEffect(loadConfig(ordersStoreSettings, [], environment).ORDERS_TABLE)
}

const MINUTE = 60_000

/** The lease of a run: longer than the 15 seconds of the retry function's timeout plus the difference of two clocks. */
const LEASE = MINUTE

export function policyOf(config: Config<typeof retrySettings>): RetryPolicy {
  const [first = 0, ...others] = config.WEBHOOK_RETRY_DELAY_MINUTES.map((minutes) => minutes * MINUTE)
  return {
    maxAttempts: config.WEBHOOK_RETRY_MAX_ATTEMPTS,
    delays: [first, ...others],
    scanInterval: config.WEBHOOK_RETRY_SCAN_INTERVAL_MS,
    lease: LEASE,
  }
}

/** Without the container there is no topic, and nobody receives announcements. */
export const observabilitySettings = { STAGE: edgeSettings.STAGE, EVENTS_TOPIC_ARN: optional(text) }

/**
 * Receives decisions and metrics.
 * @param metricsOf how metrics are written: by default at the end of each invocation
 */
export function observabilityOf(
  config: Config<typeof observabilitySettings>,
  place: DecisionPlace,
  sources?: Names,
  metricsOf = emfMetrics,
) {
  const metrics = metricsOf(`gatehouse-${config.STAGE}`)
  return {
    metrics,
    audit: countingAudit(logAudit(log), metrics, place, sources),
    /** Must run before the process ends, or is frozen after an invocation, whether the invocation succeeded or not. */
    async conclude(): Promise<void> {
      metrics.publish()
    },
  }
}

/** The same for what announces something to listeners. */
export function announcingOf(...given: Parameters<typeof observabilityOf>) {
  const [{ EVENTS_TOPIC_ARN: topic }] = given
  const reporting = observabilityOf(...given)
  const { metrics } = reporting
  const send = snsPublisher()
  const publish = async (announcement: Announcement) =>
    topic === undefined ? undefined : send(topic, asciiJson(announcement))
  const announcer = createAnnouncer({ publish, metrics, clock, log })
  return {
    ...reporting,
    announcer,
    async conclude(): Promise<void> {
      await announcer.drained()
      await reporting.conclude()
    },
  }
}
