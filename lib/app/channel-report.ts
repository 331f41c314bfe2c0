import type { PendingMetrics } from '../adapters/emf/metrics.ts'
import type { Cancel, Timers } from '../runtime/async.ts'
import type { Gauge } from '../runtime/metrics.ts'

const EVERY_MS = 60_000

interface ReportParts {
  readonly metrics: Pick<PendingMetrics, 'measure' | 'publish'>
  readonly timers: Timers
  /** What is measured then. */
  readonly gauges: Readonly<Partial<Record<Gauge, () => number>>>
}

/**
 * Writes once a minute what was counted and what is measured.
 * @returns what stops it, after it has written what was counted since
 */
export function reportEveryMinute({ metrics, timers, gauges }: ReportParts): Cancel {
  let cancel = wait()

  function wait(): Cancel {
    return timers.after(EVERY_MS, report)
  }

  function report(): void {
    for (const [gauge, read] of Object.entries(gauges)) metrics.measure(gauge as Gauge, read())
    metrics.publish()
    cancel = wait()
  }

  return () => {
    cancel()
    metrics.publish()
  }
}
