import type { Random } from '../support/random.ts'

/** What may happen to one call of a store or a queue. */
export type Fault =
  /** The process dies, its call not made. */
  | 'dies before'
  /** The process dies, its call made. */
  | 'dies after'
  /** Refused, not made. */
  | 'throttled'
  /** Made, and answered by a timeout. */
  | 'answer lost'
  /** Answered by a timeout, and made later all the same. */
  | 'late'
  /** Made twice, as a client does that tries again after a timeout; the second answer counts. */
  | 'tried twice'
  /** The process stands still, longer than its lease. */
  | 'stall'

export const FAULTS: readonly Fault[] = [
  'dies before',
  'dies after',
  'throttled',
  'answer lost',
  'late',
  'tried twice',
  'stall',
]

/** What may happen to one message. */
export interface Post {
  readonly lost: number
  readonly doubled: number
  readonly late: number
  /** Only what the sweep sends arrives at all. */
  readonly onlySweep?: true
}

/** How bad a world is: probabilities for each call and for each message. */
export interface Weather {
  readonly calls: Readonly<Partial<Record<Fault, number>>>
  readonly post: Post
  /** By how much the clocks of two processes differ at most, in milliseconds. */
  readonly skew: number
  /** Whether release itself, the way back from an outage, is spared. */
  readonly sparesRelease?: true
}

const GOOD_POST: Post = { lost: 0, doubled: 0, late: 0 }

export const WEATHERS = {
  /** Everything at once. */
  storm: {
    calls: {
      'dies before': 0.015,
      'dies after': 0.015,
      throttled: 0.03,
      'answer lost': 0.02,
      late: 0.01,
      'tried twice': 0.03,
      stall: 0.01,
    },
    post: { lost: 0.1, doubled: 0.15, late: 0.1 },
    skew: 2000,
  },
  /** Nothing happens but what a test asks for. */
  clear: { calls: {}, post: GOOD_POST, skew: 0 },
  /** Nothing but what a client mends by itself. */
  calm: { calls: { 'tried twice': 0.3 }, post: { ...GOOD_POST, doubled: 0.2 }, skew: 0 },
  /** A store that refuses, answers late or not at all; no process dies. */
  outage: {
    calls: { throttled: 0.25, 'answer lost': 0.15, 'tried twice': 0.05 },
    post: GOOD_POST,
    skew: 0,
    sparesRelease: true,
  },
  /** No message arrives but those of the sweep. */
  deaf: { calls: {}, post: { ...GOOD_POST, onlySweep: true }, skew: 0 },
  /** Processes that die or stand still beyond their lease, and go on as if nothing had been. */
  zombies: {
    calls: { 'dies before': 0.05, 'dies after': 0.05, stall: 0.2 },
    post: { ...GOOD_POST, doubled: 0.2 },
    skew: 5000,
  },
  /** Clocks that are an hour off. */
  skewed: { calls: { 'dies after': 0.02, stall: 0.02 }, post: { ...GOOD_POST, doubled: 0.1 }, skew: 3_600_000 },
} as const satisfies Record<string, Weather>

export type WeatherName = keyof typeof WEATHERS

/** The fault of a call, if it has one. */
export function faultOf(calls: Weather['calls'], random: Random): Fault | undefined {
  let left = random.next()
  for (const fault of FAULTS) {
    left -= calls[fault] ?? 0
    if (left < 0) return fault
  }
  return undefined
}
