/** A value at a time in milliseconds. */
export interface Point {
  readonly at: number
  readonly value: number
}

const HOUR = 3_600_000

/**
 * How much a value grows in an hour: the median of the slopes between all pairs of points (Theil and Sen), which a few
 * wild ones do not bend. Zero for fewer than two points.
 */
export function growthPerHour(points: readonly Point[]): number {
  const slopes = points
    .flatMap((one, index) =>
      points.slice(index + 1).map((other) => ((other.value - one.value) / (other.at - one.at)) * HOUR),
    )
    .sort((one, other) => one - other)
  return slopes[Math.floor(slopes.length / 2)] ?? 0
}
