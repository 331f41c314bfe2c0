import { type EventHead, type RetryHint, runsOf } from '../event.ts'

/** What a refused claim means for the hint that asked for it. */
export type HintDecision = 'postpone' | 'exhaust' | 'drop'

/**
 * Decides on a row whose claim was refused: it is not due yet, out of attempts, or settled by another worker
 * (retries-14, retries-19).
 */
export function decideHint(
  event: EventHead | undefined,
  { n }: RetryHint,
  now: Date,
  maxAttempts: number,
): HintDecision {
  if (event === undefined || runsOf(event) !== n) return 'drop'
  const { status, attempts, nextRetryAt: due } = event
  const isWaiting = status === 'FAILED' && due !== undefined
  if (attempts >= maxAttempts) return isWaiting || isAbandoned(event, now) ? 'exhaust' : 'drop'
  return isWaiting && due > now ? 'postpone' : 'drop'
}

function isAbandoned({ status, leaseUntil }: EventHead, now: Date): boolean {
  const isRunning = status === 'PROCESSING' || status === 'RETRY'
  return isRunning && leaseUntil !== undefined && leaseUntil < now
}
