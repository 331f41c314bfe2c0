import type { Counter } from './metrics.ts'

/** Where CloudWatch keeps our numbers. */
export const NAMESPACE = 'Gatehouse'

/**
 * Members that make CloudWatch count a line of the log (CloudWatch user guide, "Specification: Embedded metric format"), for
 * functions that count nothing else: a client of metrics would be loaded by each of them.
 */
export function metricMembers(serviceName: string, counter: Counter, at: Date): Readonly<Record<string, unknown>> {
  const metrics = { Namespace: NAMESPACE, Dimensions: [['service']], Metrics: [{ Name: counter, Unit: 'Count' }] }
  return { _aws: { Timestamp: at.getTime(), CloudWatchMetrics: [metrics] }, service: serviceName, [counter]: 1 }
}
