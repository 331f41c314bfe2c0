import type { Delivery } from './delivery.ts'
import type { Destination } from './destination.ts'

/** The longest time, in milliseconds, by which Retry-After may put a try behind the schedule. */
const LONGEST_DEFERRAL = 2 * 3_600_000

/**
 * A pause is up to a fifth longer than the schedule says, so that simultaneous failures are not retried simultaneously.
 */
const JITTER = 0.2

/** A process that dies in every try never fails a delivery; this ends it. */
export const MOST_TRIES = 1000

/**
 * When a delivery whose try just failed is due again; undefined when it is given up.
 * @param retryAfter what the destination asked for, in milliseconds
 * @param random from 0 to 1
 */
export function nextDueAt(
  { receivedAt, orderedAt = receivedAt, attempts }: Pick<Delivery, 'receivedAt' | 'orderedAt' | 'attempts'>,
  { delays, giveUpAfter }: Pick<Destination, 'delays' | 'giveUpAfter'>,
  at: Date,
  retryAfter: number,
  random: number,
): Date | undefined {
  const scheduled = delays[Math.min(Math.max(attempts, 1), delays.length) - 1] ?? delays[0]
  const asked = Math.min(retryAfter, scheduled + LONGEST_DEFERRAL)
  const due = at.getTime() + Math.max(scheduled * (1 + JITTER * random), asked)
  const isTooLate = due > orderedAt.getTime() + giveUpAfter || attempts >= MOST_TRIES
  return isTooLate ? undefined : new Date(Math.round(due))
}
