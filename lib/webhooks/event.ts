/** Spec 2.4 and 3.1. */
export type EventStatus = 'RECEIVED' | 'PROCESSING' | 'PROCESSED' | 'FAILED' | 'RETRY'

/** What names an event: the place it came from and the id that it has there. */
export interface EventKey {
  readonly source: string
  readonly eventId: string
}

export interface HistoryEntry {
  readonly at: Date
  readonly status: EventStatus
  /** `worker` makes a first run, `retry` every later one. */
  readonly by: 'intake' | 'worker' | 'retry' | 'operator'
  readonly error?: string | undefined
  /** Which operator it was, and why. */
  readonly user?: string | undefined
  readonly reason?: string | undefined
}

/** A stored webhook event (spec 2.4), with what its retries need. */
export interface WebhookEvent extends EventKey {
  readonly id: bigint
  readonly eventType: string
  readonly status: EventStatus
  readonly receivedAt: Date
  readonly processedAt?: Date | undefined
  /** How many retries were claimed. */
  readonly attempts: number
  /** When the next retry is due; absent once nothing waits any more. */
  readonly nextRetryAt?: Date | undefined
  /** FAILED for good: no attempt is left. */
  readonly dead: boolean
  readonly errorMessage?: string | undefined
  /** Why a processed event changed nothing. */
  readonly outcome?: string | undefined
  /** The bytes as received. */
  readonly payload: Buffer
  readonly payloadSha256: string
  readonly headers: Readonly<Record<string, string>>
  readonly history: readonly HistoryEntry[]
  /** Who runs a retry now, or ran the last one, and until when nobody else may. */
  readonly owner?: string | undefined
  readonly leaseUntil?: Date | undefined
  /** The last replay that took the event up. */
  readonly replayId?: string | undefined
}

/** Everything about an event but its body. */
export type EventHead = Omit<WebhookEvent, 'payload'>

/** A message on the retry queue: only a hint, the stored row is the truth. */
export interface RetryHint extends EventKey {
  /** How many runs it saw, the intake's own counted; a row that has had more of them lets the hint die at once. */
  readonly n: number
  /** How many times in a row it was sent on because the event was not due yet; 0 when absent. */
  readonly hops?: number | undefined
}

type Counted = Pick<WebhookEvent, 'status' | 'attempts'>

/** How many runs an event has had: its first one and its retries. */
export function runsOf({ status, attempts }: Counted): number {
  return status === 'RECEIVED' ? 0 : attempts + 1
}

/** The hint that wakes a worker up for an event as it stands. */
export function hintOf({ source, eventId, ...counted }: EventKey & Counted): RetryHint {
  return { source, eventId, n: runsOf(counted) }
}

/** More than all attempts of one schedule need; operators and outages may add moves without end. */
const MAXIMUM_HISTORY = 100

/** The history with one move more; of a long one the first move and the latest are kept. */
export function withEntry(history: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] {
  const surplus = Math.max(0, history.length + 1 - MAXIMUM_HISTORY)
  return [...history.slice(0, 1), ...history.slice(1 + surplus), entry]
}
