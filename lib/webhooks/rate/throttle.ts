import { fail } from '../../errors.ts'
import type { Intake } from '../admit.ts'
import type { EventSource } from '../source.ts'
import type { RateLimiter } from './limiter.ts'

export interface Throttling extends Pick<Intake, 'secrets' | 'audit'> {
  readonly limiter: RateLimiter
}

/** One budget for all names that have no secret, because callers make them up. No path can name it. */
const WITHOUT_SECRET = '*'

/**
 * Lets in a call that is within its caller's limit (spec part 5, webhook rule 6, and part 8). A promise only where the
 * counter has to be asked.
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
