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

/** RFC 9110, section 5.6.7: the format in which dates must be sent. */
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * How long to wait, in milliseconds (RFC 9110, section 10.2.3: seconds or a date); undefined for anything else, and for a
 * date that has passed.
 */
export function readRetryAfter(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const wait = DATE.test(text) ? Date.parse(text) - now.getTime() : Number.NaN
  return wait >= 0 ? wait : undefined
}
