import type { WebhookEvent } from '../event.ts'
import { LONGEST_DELAY } from './queue.ts'

/** Spec part 8: how often and when a failed event is retried. All times in milliseconds. */
export interface RetryPolicy {
  readonly maxAttempts: number
  /** Counted from `receivedAt`; attempts beyond the list use the last delay. */
  readonly delays: readonly [number, ...number[]]
  readonly scanInterval: number
  /** How long a run may take before another worker may claim the event: longer than the function's own timeout. */
  readonly lease: number
}

type Tried = Pick<WebhookEvent, 'receivedAt' | 'attempts'>

/**
 * When an event that just failed is due again; undefined when no attempt is left. Beyond the list of delays, a retry is
 * due no sooner than one scan interval from now.
 */
export function nextRetryAt({ receivedAt, attempts }: Tried, now: Date, policy: RetryPolicy): Date | undefined {
  if (attempts >= policy.maxAttempts) return undefined
  const isBeyondList = attempts >= policy.delays.length
  const delay = policy.delays[Math.min(attempts, policy.delays.length - 1)] ?? policy.delays[0]
  const due = receivedAt.getTime() + delay
  return new Date(isBeyondList ? Math.max(due, now.getTime() + policy.scanInterval) : due)
}

/** Additional hops for messages that arrive slightly early and for clocks that differ. */
const SPARE_HOPS = 5

/** Maximum number of hops of an event's hint before the event is due. */
export function maximumHops({ delays, scanInterval }: RetryPolicy): number {
  return Math.ceil(Math.max(...delays, scanInterval) / LONGEST_DELAY) + SPARE_HOPS
}
