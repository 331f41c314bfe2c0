/** One figure. */
export interface Row {
  readonly what: string
  readonly unit: string
  readonly value: number
  /** As a multiple of what Gatehouse takes. */
  readonly times?: number
}

/** What each subject took, in each round. */
export type Costs = ReadonlyMap<string, readonly number[]>

/** In Markdown. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ what, unit, value, times }) => `| ${what} | ${digits(value)} ${unit} | ${digits(times)} |`)
  return ['| what | measured | × ours |', '|---|--:|--:|', ...lines].join('\n')
}

/** The same work, done by `gatehouse` and by others: the medians of the rounds, the least first. */
export function compared(what: string, unit: string, costs: Costs): readonly Row[] {
  const medians = [...costs].map(([subject, all]) => [subject, median(all)] as const)
  const { gatehouse: ours = Number.NaN } = Object.fromEntries(medians)
  const sorted = medians.toSorted(([, one], [, other]) => one - other)
  return sorted.map(([subject, value]) => ({ what: `${what}: ${subject}`, unit, value, times: value / ours }))
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1)
  return middle.reduce((sum, value) => sum + value, 0) / middle.length
}

/** Three that say something. */
export function digits(value: number | undefined): string {
  return value?.toLocaleString('en', { maximumSignificantDigits: 3 }) ?? ''
}
