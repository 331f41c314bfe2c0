import { fail } from '../../errors.ts'
import type { Intake } from '../admit.ts'
import { refuseCall } from '../audit.ts'
import type { Sender } from '../refusals/webhook-refused.ts'
import type { RateLimiter } from './limiter.ts'

export interface Throttling extends Pick<Intake, 'secrets' | 'audit'> {
  readonly limiter: RateLimiter
}

/** Key of the one budget for all names without a secret, because callers make such names up. No path can contain it. */
const WITHOUT_SECRET = '*'

/**
 * Accepts a call within its caller's limit (webhooks-25). Returns a promise only if it has
 * to ask the counter.
 * @throws WebhookRefused `RATE_LIMIT_EXCEEDED`
 */
export function throttle(
  sender: Sender,
  address: string,
  { limiter, secrets, audit }: Throttling,
): void | Promise<void> {
  const conclude = (wait: number): void => {
    if (wait === 0) return
    const retryAfterSeconds = Math.max(1, Math.ceil(wait / 1000))
    refuseCall(audit, sender, 'rate-limited', fail('RATE_LIMIT_EXCEEDED', { retryAfterSeconds }))
  }
  const { name } = sender
  const wait = limiter.wait(secrets.current.has(name) ? name : WITHOUT_SECRET, address)
  return typeof wait === 'number' ? conclude(wait) : wait.then(conclude)
}
