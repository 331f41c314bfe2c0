import { MetricUnit, Metrics as Powertools } from '@aws-lambda-powertools/metrics'
import { type Counter, type Dimensions, type Gauge, type Metrics, NAMESPACE } from '../../runtime/metrics.ts'

/** Those of the gauges that are no plain numbers. */
const UNITS: Partial<Record<Counter | Gauge, (typeof MetricUnit)[keyof typeof MetricUnit]>> = {
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

/**
 * Metrics on standard output in CloudWatch's Embedded Metric Format (CloudWatch user guide, "Specification: Embedded
 * metric format"). Each number stands under the service alone, for alarms, unless it is apart, and under its own
 * dimensions.
 */
export function emfMetrics(serviceName: string): PendingMetrics {
  const emf = new Powertools({ namespace: NAMESPACE, serviceName })
  const groups = new Map<string, Map<Counter | Gauge, number>>()

  function valuesOf(dimensions: Dimensions = {}, isApart = false): Map<Counter | Gauge, number> {
    const key = JSON.stringify([dimensions, isApart])
    const values = groups.get(key) ?? new Map()
    groups.set(key, values)
    return values
  }

  function write(values: Map<Counter | Gauge, number>, key: string): void {
    const [dimensions, isApart] = JSON.parse(key)
    if (!isApart) emf.addDimensions({})
    if (!key.startsWith('[{}')) emf.addDimensions(dimensions)
    for (const [name, value] of values) emf.addMetric(name, UNITS[name] ?? MetricUnit.Count, value)
    emf.publishStoredMetrics()
  }

  return {
    count(counter, dimensions, isApart) {
      const values = valuesOf(dimensions, isApart)
      values.set(counter, (values.get(counter) ?? 0) + 1)
    },

    measure(gauge, value, dimensions, isApart) {
      const values = valuesOf(dimensions, isApart)
      values.set(gauge, Math.max(value, values.get(gauge) ?? 0))
    },

    publish() {
      groups.forEach(write)
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
