/** Where the time comes from: the only readers of the system's clocks stand here. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** For the length of times: it never jumps, whatever is done to the system's clock, and drifts away from it. */
export const steadyClock: Clock = { now: () => new Date(performance.timeOrigin + performance.now()) }

/** Says that a time is over once both say so. */
export function earlierOf(one: Clock, other: Clock): Clock {
  return { now: () => new Date(Math.min(one.now().getTime(), other.now().getTime())) }
}
