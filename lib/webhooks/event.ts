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
  readonly by: 'intake' | 'retry'
  readonly error?: string | undefined
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
}

/** A message on the retry queue: only a hint, the stored row is the truth. `n` is the number of attempts it saw. */
export interface RetryHint extends EventKey {
  readonly n: number
}
