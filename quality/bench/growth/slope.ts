import { type Findings, type Goal, tableOf, verdictOf } from '../findings.ts'
import { median } from '../median.ts'

/** What the same costs, or counts, by how much there is; each round's. */
export interface Slope {
  readonly what: string
  readonly values: ReadonlyMap<number, readonly number[]>
  /** The largest may have so many times what the smallest has; 1 for what is counted. */
  readonly most: number
}

const SIZE = new Intl.NumberFormat('en')
const VALUE = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

/** One line for each slope, one column for each size. @param heading what there is more and more of */
export function slopes(heading: string, all: readonly Slope[]): Findings {
  const sizes = [...(all[0]?.values.keys() ?? [])]
  const lines = all.map(({ what, values, most }) => {
    const medians = sizes.map((size) => median(values.get(size) ?? []))
    const times = (medians.at(-1) ?? Number.NaN) / (medians[0] ?? Number.NaN)
    const goal: Goal = {
      what: `${heading}: ${what}, ${SIZE.format(sizes.at(-1) ?? 0)} to ${SIZE.format(sizes[0] ?? 0)}`,
      wanted: most === 1 ? '1 ×' : `≤ ${most} ×`,
      measured: `${VALUE.format(times)} ×`,
      isMet: most === 1 ? times === 1 : times <= most,
    }
    return { goal, cells: [what, ...medians.map((value) => VALUE.format(value)), goal.measured, verdictOf(goal)] }
  })
  const heads = [heading, ...sizes.map((size) => SIZE.format(size)), 'last to first', 'goal']
  return {
    table: tableOf(
      heads,
      lines.map(({ cells }) => cells),
    ),
    goals: lines.map(({ goal }) => goal),
  }
}
