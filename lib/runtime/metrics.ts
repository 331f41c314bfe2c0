/** The metrics that are counts; `docs/operations.md` says what each means. */
export type Counter =
  | 'Accepted'
  | 'Duplicate'
  | 'Held'
  | 'Refused'
  | 'Processed'
  | 'Failed'
  | 'Retried'
  | 'Dead'
  | 'Replayed'
  | 'LoopStopped'
  | 'LimiterFailure'
  | 'UnknownKey'
  | 'SecretUnread'
  | 'AnnouncementLost'
  | 'LoginFailed'
  | 'LoginThrottled'
  | 'Delivered'
  | 'DeliveredLate'
  | 'GroupMissing'
  | 'DeliveryFailed'
  | 'DeadDeliveries'
  | 'MessageRefused'
  | 'ExpiredDeliveries'
  | 'MessagesDelivered'
  | 'ChannelRefused'
  | 'SlowClients'
  | 'TelemetryDropped'

/** Ages and delays are in milliseconds. */
export type Gauge = 'OldestDueAge' | 'OldestDeliveryAge' | 'Sessions' | 'PlacesTaken' | 'Streams' | 'WatchLag'

/** Names and values from closed sets: each combination is a time series of its own. */
export type Dimensions = Readonly<Record<string, string>>

/** Numbers for the operators of the service. */
export interface Metrics {
  /** @param isApart counts it under its dimensions, and not for the service as a whole */
  count(counter: Counter, dimensions?: Dimensions, isApart?: boolean): void
  /** If one invocation measures the same dimensions several times, the greatest value counts. */
  measure(gauge: Gauge, value: number, dimensions?: Dimensions, isApart?: boolean): void
}

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
