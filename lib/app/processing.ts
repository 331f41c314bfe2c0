import { orderEffect, paymentEffect } from '../adapters/dynamodb/changed-rows.ts'
import type { EffectKind } from '../adapters/dynamodb/effects.ts'
import { dynamoMessageWriter } from '../adapters/dynamodb/messages.ts'
import { emfMetrics } from '../adapters/emf/metrics.ts'
import type { Call } from '../http/middleware/call.ts'
import { messageOf } from '../messages/message.ts'
import { storeMessage } from '../messages/shared-bus.ts'
import { settleAll } from '../runtime/async.ts'
import { type Config, optional, text } from '../runtime/config.ts'
import { clockIds } from '../runtime/ids.ts'
import { serviceOf, serviceSettings } from '../runtime/settings/edge.ts'
import type { retrySettings } from '../runtime/settings/retry.ts'
import { messagesStoreSettings } from '../runtime/settings/stores.ts'
import { idsOfLine } from '../runtime/trace.ts'
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

/** The address is checked with the other settings, before anything starts: lib/runtime/settings/telemetry.ts. */
export const observabilitySettings = { ...serviceSettings, OTEL_EXPORTER_OTLP_ENDPOINT: optional(text) }

export const announcingSettings = { ...observabilitySettings, ...messagesStoreSettings }

/** How long an announcement may hold up an answer: less than the endpoints' own reserve before their deadline. */
const ANNOUNCING_MS = 400

/** Receives decisions and metrics. What exports them is loaded only where that is asked for. */
export async function observabilityOf(
  config: Config<typeof observabilitySettings>,
  place: DecisionPlace,
  sources?: Names,
) {
  const serviceName = serviceOf(config)
  const own = emfMetrics(serviceName)
  const telemetry = config.OTEL_EXPORTER_OTLP_ENDPOINT
    ? (await import('./telemetry.ts')).telemetryOf(serviceName, place, own, clock, idsOfLine)
    : undefined
  const metrics = telemetry?.metrics ?? own
  const audit = countingAudit(logAudit(log), metrics, place, sources)
  return {
    metrics,
    telemetry,
    audit: telemetry?.audited(audit) ?? audit,
    /** Must run before the process ends, or is frozen after an invocation, whether the invocation succeeded or not. */
    async conclude(call?: Call): Promise<void> {
      own.publish()
      await telemetry?.flush(call)
    },
  }
}

/** The same for what announces something to listeners. @param count takes note of what ended */
export async function announcingOf(
  config: Config<typeof announcingSettings>,
  place: DecisionPlace,
  count?: (announcement: Announcement) => Promise<void>,
) {
  const reporting = await observabilityOf(config, place)
  const { metrics } = reporting
  const store = dynamoMessageWriter(config.MESSAGES_TABLE, ANNOUNCING_MS)
  const ids = clockIds(clock)
  const send = async (announcement: Announcement) =>
    announcement.kind === 'event' || storeMessage(store, clock, ids.unique(), messageOf(announcement))
  const publish = async (announcement: Announcement) =>
    void (await settleAll([send(announcement), count?.(announcement)]))
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
