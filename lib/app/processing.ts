import { orderEffect, paymentEffect } from '../adapters/dynamodb/changed-rows.ts'
import type { EffectKind } from '../adapters/dynamodb/effects.ts'
import { dynamoMessageWriter } from '../adapters/dynamodb/messages.ts'
import { emfMetrics } from '../adapters/emf/metrics.ts'
import { messageOf } from '../messages/message.ts'
import { storeMessage } from '../messages/shared-bus.ts'
import type { Config } from '../runtime/config.ts'
import { clockIds } from '../runtime/ids.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import type { retrySettings } from '../runtime/settings/retry.ts'
import { messagesStoreSettings } from '../runtime/settings/stores.ts'
import { countingAudit, type DecisionPlace, logAudit, type Names } from '../webhooks/audit.ts'
import { type Announcement, createAnnouncer } from '../webhooks/live/announcement.ts'
import type { RetryPolicy } from '../webhooks/retry/policy.ts'
import { clock, log } from './edge.ts'
import { tableOf } from './stores.ts'

/** The effects of webhooks that change payments. @throws ConfigError */
export function payments(): EffectKind {
  return paymentEffect(tableOf('PAYMENTS_TABLE'))
}

/** The effects of webhooks that change orders. @throws ConfigError */
export function orders(): EffectKind {
  return orderEffect(tableOf('ORDERS_TABLE'))
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

export const observabilitySettings = { STAGE: edgeSettings.STAGE }

export const announcingSettings = { ...observabilitySettings, ...messagesStoreSettings }

/** How long an announcement may hold up an answer: less than the endpoints' own reserve before their deadline. */
const ANNOUNCING_MS = 400

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
export function announcingOf(config: Config<typeof announcingSettings>, place: DecisionPlace) {
  const reporting = observabilityOf(config, place)
  const { metrics } = reporting
  const store = dynamoMessageWriter(config.MESSAGES_TABLE, ANNOUNCING_MS)
  const ids = clockIds(clock)
  const publish = (announcement: Announcement) => storeMessage(store, clock, ids.unique(), messageOf(announcement))
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
