import { LONGEST_DELAY } from '../../work/hints.ts'
import type { WebhookEvent } from '../event.ts'

/** How often and when a failed event is retried (retries-13, retries-16). All times in milliseconds. */
export interface RetryPolicy {
  readonly maxAttempts: number
  /** Counted from `receivedAt`, or an operator's order; attempts beyond the list use the last delay. */
  readonly delays: readonly [number, ...number[]]
  readonly scanInterval: number
  /** How long a run may take before another worker may claim the event: longer than the function's own timeout. */
  readonly lease: number
}

type Tried = Pick<WebhookEvent, 'receivedAt' | 'orderedAt' | 'attempts'>

/**
 * When an event whose run just failed is due again; undefined when no attempt is left. The delays count from the receipt,
 * or from the order of an operator. However late the run came, the next one keeps the distance that the delays have, and
 * beyond their list that of two scans: an outage does not use up all attempts at once.
 * @param begun when the run began
 */
export function nextRetryAt(tried: Tried, begun: Date, policy: RetryPolicy): Date | undefined {
  const { receivedAt, orderedAt = receivedAt, attempts } = tried
  if (attempts >= policy.maxAttempts) return undefined
  const distance = delayOf(attempts, policy) - delayOf(attempts - 1, policy)
  const isBeyondList = attempts >= policy.delays.length
  const due = orderedAt.getTime() + delayOf(attempts, policy)
  return new Date(Math.max(due, begun.getTime() + (isBeyondList ? policy.scanInterval : distance)))
}

/** The delay before a retry, in milliseconds; before the first run there is none. */
function delayOf(attempt: number, { delays }: RetryPolicy): number {
  return attempt < 0 ? 0 : (delays[Math.min(attempt, delays.length - 1)] ?? delays[0])
}

/** Additional hops for messages that arrive slightly early and for clocks that differ. */
const SPARE_HOPS = 5

/** Maximum number of hops of an event's hint before the event is due. */
export function maximumHops({ delays, scanInterval }: RetryPolicy): number {
  return Math.ceil(Math.max(...delays, scanInterval) / LONGEST_DELAY) + SPARE_HOPS
}
