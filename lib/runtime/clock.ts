/** Where the time comes from: the only readers of the system's clocks stand here. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** Monotonic time, for measuring durations: it never jumps, but drifts away from the system's clock. */
export const steadyClock: Clock = { now: () => new Date(performance.timeOrigin + performance.now()) }

/** Says that a time is over once both say so. */
export function earlierOf(one: Clock, other: Clock): Clock {
  return { now: () => new Date(Math.min(one.now().getTime(), other.now().getTime())) }
}
