import { MetricUnit, Metrics as Powertools } from '@aws-lambda-powertools/metrics'
import { type Counter, type Dimensions, type Gauge, type Metrics, NAMESPACE } from '../../runtime/metrics.ts'

/** Those of the gauges that are no plain numbers. */
const UNITS: Partial<Record<Gauge, (typeof MetricUnit)[keyof typeof MetricUnit]>> = {
  OldestDueAge: MetricUnit.Milliseconds,
  OldestDeliveryAge: MetricUnit.Milliseconds,
  PlacesTaken: MetricUnit.Percent,
  WatchLag: MetricUnit.Milliseconds,
}

/** Numbers that are kept until they are written. */
export interface PendingMetrics extends Metrics {
  /**
   * Writes what was counted since the last call, one line per set of dimensions; writes nothing if there is nothing
   * new.
   */
  publish(): void
}

interface Group {
  readonly dimensions: Dimensions
  readonly isApart: boolean
  readonly counts: Map<Counter, number>
  readonly gauges: Map<Gauge, number>
}

/**
 * Metrics on standard output in CloudWatch's Embedded Metric Format (CloudWatch user guide, "Specification: Embedded
 * metric format"). Each number stands under the service alone, for alarms, unless it is apart, and under its own
 * dimensions.
 */
export function emfMetrics(serviceName: string): PendingMetrics {
  const emf = new Powertools({ namespace: NAMESPACE, serviceName })
  const groups = new Map<string, Group>()

  function groupOf(dimensions: Dimensions, isApart: boolean): Group {
    const key = JSON.stringify([dimensions, isApart])
    const group = groups.get(key) ?? { dimensions, isApart, counts: new Map(), gauges: new Map() }
    groups.set(key, group)
    return group
  }

  return {
    count(counter, dimensions = {}, isApart = false) {
      const { counts } = groupOf(dimensions, isApart)
      counts.set(counter, (counts.get(counter) ?? 0) + 1)
    },

    measure(gauge, value, dimensions = {}, isApart = false) {
      const { gauges } = groupOf(dimensions, isApart)
      gauges.set(gauge, Math.max(value, gauges.get(gauge) ?? 0))
    },

    publish() {
      for (const group of groups.values()) publishGroup(emf, group)
      groups.clear()
    },
  }
}

/** The same for a process that is never frozen: each number is written as it comes. */
export function promptEmfMetrics(serviceName: string): PendingMetrics {
  const pending = emfMetrics(serviceName)
  return {
    publish: pending.publish,
    count(...counted) {
      pending.count(...counted)
      pending.publish()
    },
    measure(...measured) {
      pending.measure(...measured)
      pending.publish()
    },
  }
}

function publishGroup(emf: Powertools, { dimensions, isApart, counts, gauges }: Group): void {
  if (!isApart) emf.addDimensions({})
  if (Object.keys(dimensions).length > 0) emf.addDimensions(dimensions)
  for (const [counter, total] of counts) emf.addMetric(counter, MetricUnit.Count, total)
  for (const [gauge, value] of gauges) emf.addMetric(gauge, UNITS[gauge] ?? MetricUnit.Count, value)
  emf.publishStoredMetrics()
}
