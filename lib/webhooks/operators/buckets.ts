const MAXIMUM_BUCKETS = 120

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400]
const WEEK = 7 * DAY

/** Lengths in seconds at which people read a clock. */
const LENGTHS = [
  ...[1, 5, 15],
  ...[1, 5, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 6, 12].map((hours) => hours * HOUR),
  DAY,
]

interface Buckets {
  /** The length of each. */
  readonly seconds: number
  /** When each begins, in milliseconds since the epoch: a multiple of the length. */
  readonly starts: readonly number[]
}

/** Equal parts of time, at most 120, that hold all from one time to another, both included; none is before 1970. */
export function bucketsOf(from: Date, to: Date): Buckets {
  const [first, last] = [Math.max(0, from.getTime()), to.getTime()]
  const weeks = Math.ceil((last - first) / 1000 / WEEK / (MAXIMUM_BUCKETS - 1))
  const placesOf = (seconds: number) => [Math.floor(first / seconds / 1000), Math.floor(last / seconds / 1000)] as const
  const isShort = ([begin, end]: readonly [number, number]) => end - begin < MAXIMUM_BUCKETS
  const seconds = LENGTHS.find((length) => isShort(placesOf(length))) ?? weeks * WEEK
  const [begin, end] = placesOf(seconds)
  const count = Math.max(0, end - begin + 1)
  return { seconds, starts: Array.from({ length: count }, (_, index) => (begin + index) * seconds * 1000) }
}
