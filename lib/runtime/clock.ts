/** A source of the time: only this file reads the system's clocks. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** Monotonic time, for measuring durations: it never jumps, but drifts away from the system's clock. */
export const steadyClock: Clock = { now: () => new Date(performance.timeOrigin + performance.now()) }

/** A clock that shows the earlier time of two: a time is over only once both say so. */
export function earlierOf(one: Clock, other: Clock): Clock {
  return { now: () => new Date(Math.min(one.now().getTime(), other.now().getTime())) }
}
