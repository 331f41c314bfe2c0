import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Metrics } from '../../runtime/metrics.ts'
import { type HeardList, REMEMBERED_MS } from './heard.ts'
import { COUNTED_MS, type RefusalCounts, refusedSources } from './refused.ts'
import { silentSources } from './silent.ts'

export interface SourceWatchParts {
  readonly heard: HeardList
  readonly refusals: RefusalCounts
  readonly clock: Clock
  readonly metrics: Metrics
  readonly log: Log
}

/** Reports which sources are silent, and from which no call is accepted. @throws ServiceError `UNAVAILABLE` */
export async function watchSources({ heard, refusals, clock, metrics, log }: SourceWatchParts): Promise<void> {
  const now = clock.now()
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  const days = await heard.since(before(REMEMBERED_MS))
  const spans = await refusals.since(before(COUNTED_MS))
  const silent = silentSources(days, now)
  const refused = refusedSources(spans, days, now)
  for (const { source, lastAt, usualMs } of silent) log.warn('source silent', { source, lastAt, usualMs })
  for (const { source, count } of refused) log.warn('source refused', { source, count })
  // Also without any: that ends the alarms.
  metrics.measure('SilentSources', silent.length)
  metrics.measure('RefusedSources', refused.length)
}
