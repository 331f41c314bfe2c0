/** The metrics that are counts; `docs/operations.md` says what each means. */
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
  | 'AnnouncementLost'
  | 'LoginFailed'
  | 'LoginThrottled'
  | 'Delivered'
  | 'Ungrouped'
  | 'DeliveryFailed'
  | 'DeadDeliveries'
  | 'MessageRefused'
  | 'ExpiredDeliveries'
  | 'MessagesDelivered'
  | 'ChannelRefused'
  | 'SlowClients'

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
