import type { Tone } from './badge.tsx'

interface TimeScaleProps {
  /** Says in words what is drawn. */
  readonly label: string
  readonly from: Date
  readonly now: Date
  /** Labels, in minutes after `from`, ascending. */
  readonly ticks: readonly number[]
  readonly points: readonly { readonly at: Date; readonly tone: Tone }[]
  /** What is to come, and how far away that is. */
  readonly due?: { readonly at: Date; readonly distance: string } | undefined
}

/** What has happened and what is to come, on a line that is true to scale. */
export function TimeScale({ label, from, now, ticks, points, due }: TimeScaleProps) {
  const times = [...points.map(({ at }) => at), ...(due ? [due.at] : [])]
  const { placeOf, ends, ticks: labels } = scaleOf({ from, times, ticks })
  const [left, right] = ends
  const today = placeOf(now)
  const isOnIt = today <= right
  const dueAt = due && placeOf(due.at)
  return (
    <svg class="i-line" viewBox="0 -8 580 70" role="img" aria-label={label}>
      <path class="rule" d={`M${left} 30H${right}`} stroke-width="2" />
      <path stroke="currentColor" stroke-width="2" d={`M${left} 30H${Math.min(right, today)}`} />
      {dueAt !== undefined && <circle class="hollow" cx={dueAt} cy="30" r="6" />}
      {points.map(({ at, tone }) => (
        <circle key={at.getTime()} data-tone={tone} cx={placeOf(at)} cy="30" r="6" />
      ))}
      {isOnIt && <path stroke="currentColor" d={`M${today} 14v32`} />}
      <g font-size="12" fill="currentColor">
        {labels.map(({ minutes, x }) => (
          <text key={minutes} x={x} y="54" text-anchor="middle">
            {minutes === 0 ? '0' : `${minutes} min`}
          </text>
        ))}
        {isOnIt && (
          <text x={today} y="8" text-anchor="middle">
            now
          </text>
        )}
        {due && dueAt !== undefined && Math.abs(dueAt - today) > 60 && (
          <text x={Math.min(dueAt, right - 16)} y="16" text-anchor="middle">
            {due.distance}
          </text>
        )}
      </g>
    </svg>
  )
}

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
