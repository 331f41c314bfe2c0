/** What is counted; `docs/operations.md` tells what each number means. */
export type Counter =
  | 'Accepted'
  | 'Duplicate'
  | 'Refused'
  | 'Processed'
  | 'Failed'
  | 'Retried'
  | 'Dead'
  | 'Replayed'
  | 'Scanned'
  | 'LoopStopped'
  | 'LimiterFailure'
  | 'UnknownKey'
  | 'SecretUnread'
  | 'FeedHintLost'
  | 'LoginFailed'
  | 'LoginThrottled'
  | 'AuditFailed'
  | 'Delivered'
  | 'DeliveryFailed'
  | 'DeadDeliveries'
  | 'CircuitOpen'
  | 'DestinationDisabled'
  | 'RetentionRun'
  | 'MessagesDelivered'
  | 'ChannelRefused'
  | 'SlowClients'

/** Ages and delays are in milliseconds. */
export type Gauge =
  | 'SilentSources'
  | 'RefusedSources'
  | 'CanaryUnanswered'
  | 'OldestDueAge'
  | 'OldestDeliveryAge'
  | 'PayloadOverdueAge'
  | 'Sessions'
  | 'PlacesTaken'
  | 'Streams'
  | 'WatchLag'

/** Names and values out of closed sets: each combination is a time series of its own. */
export type Dimensions = Readonly<Record<string, string>>

/** Numbers for those who operate the service. */
export interface Metrics {
  count(counter: Counter, dimensions?: Dimensions): void
  /** Of several measurements of the same dimensions in one invocation the greatest counts. */
  measure(gauge: Gauge, value: number, dimensions?: Dimensions): void
}
