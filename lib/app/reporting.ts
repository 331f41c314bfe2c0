import { emfMetrics } from '../adapters/emf/metrics.ts'
import { snsChangeFeed, snsPublisher } from '../adapters/sns/change-feed.ts'
import type { Config } from '../platform/config.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { eventsTopicSettings } from '../platform/settings/stores.ts'
import { logAudit } from '../webhooks/audit.ts'
import { createAnnouncer } from '../webhooks/change-feed.ts'
import { countingAudit, type Names, type Place } from '../webhooks/metrics.ts'
import { clock, log } from './edge.ts'

export const reportingSettings = { STAGE: edgeSettings.STAGE, ...eventsTopicSettings }

/**
 * Where decisions, numbers and changes go.
 * @param metricsOf how numbers are written: by default at the end of each invocation
 */
export function reportingOf(
  config: Config<typeof reportingSettings>,
  place: Place,
  sources: Names,
  metricsOf = emfMetrics,
) {
  const metrics = metricsOf(`gatehouse-${config.STAGE}`)
  const feed = snsChangeFeed(snsPublisher(), config.EVENTS_TOPIC_ARN)
  const announcer = createAnnouncer({ feed, metrics, clock, log })
  return {
    metrics,
    announcer,
    audit: countingAudit(logAudit(log), metrics, place, sources),
    /** What has to happen before the process ends, or is frozen after an invocation, whether that went well or not. */
    async conclude(): Promise<void> {
      await announcer.settled()
      metrics.publish()
    },
  }
}
