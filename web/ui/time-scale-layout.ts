/** The ends of the line, in the units of the drawing. */
const LEFT = 20
const RIGHT = 540

/** The least distance between two labels. */
const APART = 40

const MINUTE = 60_000

interface Scaled {
  readonly from: Date
  /** What has to fit on it. */
  readonly times: readonly Date[]
  /** Labels, in minutes after `from`, ascending. */
  readonly ticks: readonly number[]
}

interface Layout {
  /** The place of a time; beyond the ends for what is not on it. */
  readonly placeOf: (time: Date) => number
  readonly ends: readonly [left: number, right: number]
  readonly ticks: readonly { readonly minutes: number; readonly x: number }[]
}

/** A line on which equal times have equal lengths, from the first to the last time or label. */
export function scaleOf({ from, times, ticks }: Scaled): Layout {
  const start = from.getTime()
  const last = Math.max(start + (ticks.at(-1) ?? 1) * MINUTE, ...times.map((time) => time.getTime()))
  const placeOf = (time: Date) => LEFT + ((time.getTime() - start) / (last - start)) * (RIGHT - LEFT)
  let free = 0
  const labels = ticks.flatMap((minutes) => {
    const x = placeOf(new Date(start + minutes * MINUTE))
    if (x < free) return []
    free = x + APART
    return [{ minutes, x }]
  })
  return { placeOf, ends: [LEFT, RIGHT], ticks: labels }
}
