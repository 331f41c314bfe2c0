import type { Destination } from './destination.ts'

/** What a worker does around the call, in milliseconds. */
const AROUND = 10_000

/** The difference of two clocks, in milliseconds. */
const SKEW = 15_000

/** The timeout of the function that serves some destinations, in milliseconds: the slowest of them decides. */
export function functionTimeoutOf(served: readonly Pick<Destination, 'timeout'>[]): number {
  return Math.max(...served.map(({ timeout }) => timeout)) + AROUND
}

/** How long a message of their queues stays hidden (Lambda developer guide, "Using Lambda with Amazon SQS"). */
export function visibilityTimeoutOf(served: readonly Pick<Destination, 'timeout'>[]): number {
  return 6 * functionTimeoutOf(served)
}

/** How long no other worker may claim a delivery that is under way, in milliseconds: longer than its own call takes. */
export function leaseOf({ timeout }: Pick<Destination, 'timeout'>): number {
  return timeout + AROUND + SKEW
}

/**
 * How long an attempt takes at least, in milliseconds: as many as may be under way at once then stay below the rate, in
 * whatever processes they are. At most two seconds.
 */
export function intervalOf({ concurrency, ratePerSecond }: Pick<Destination, 'concurrency' | 'ratePerSecond'>): number {
  return ratePerSecond === undefined ? 0 : (concurrency / ratePerSecond) * 1000
}
