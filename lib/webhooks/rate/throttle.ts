import { fail } from '../../errors.ts'
import type { Intake } from '../admit.ts'
import type { EventSource } from '../source.ts'
import type { RateLimiter } from './limiter.ts'

export interface Throttling extends Pick<Intake, 'secrets' | 'audit'> {
  readonly limiter: RateLimiter
}

/** Key of the one budget for all names without a secret, because callers make such names up. No path can contain it. */
const WITHOUT_SECRET = '*'

/**
 * Accepts a call within its caller's limit (spec part 5, webhook rule 6, and part 8). Returns a promise only if it has
 * to ask the counter.
 * @throws ServiceError `RATE_LIMIT_EXCEEDED`
 */
export function throttle(
  { name }: Pick<EventSource, 'name'>,
  address: string,
  { limiter, secrets, audit }: Throttling,
): void | Promise<void> {
  const conclude = (wait: number): void => {
    if (wait === 0) return
    audit.decided('refused', { source: name, reason: 'rate-limited' })
    throw fail('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: Math.max(1, Math.ceil(wait / 1000)) })
  }
  const wait = limiter.wait(secrets.current.has(name) ? name : WITHOUT_SECRET, address)
  return typeof wait === 'number' ? conclude(wait) : wait.then(conclude)
}
