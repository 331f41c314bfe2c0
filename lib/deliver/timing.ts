import type { Destination } from './destination.ts'

/** What a worker does around the call, in milliseconds. */
const AROUND = 10_000

/** The difference of two clocks, in milliseconds. */
const SKEW = 15_000

/** The timeout of the function that serves a destination, in milliseconds. */
export function functionTimeoutOf({ timeout }: Pick<Destination, 'timeout'>): number {
  return timeout + AROUND
}

/** How long a message of its queue stays hidden (Lambda developer guide, "Using Lambda with Amazon SQS"). */
export function visibilityTimeoutOf(destination: Pick<Destination, 'timeout'>): number {
  return 6 * functionTimeoutOf(destination)
}

/** How long no other worker may claim a delivery that is under way, in milliseconds: longer than the function runs. */
export function leaseOf(destination: Pick<Destination, 'timeout'>): number {
  return functionTimeoutOf(destination) + SKEW
}
