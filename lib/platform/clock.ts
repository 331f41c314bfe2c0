/** Where the time comes from: the only reader of the system's clock is {@link systemClock}. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
