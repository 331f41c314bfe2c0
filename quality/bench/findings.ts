/** One figure. */
export interface Row {
  readonly what: string
  readonly unit: string
  readonly value: number
  /** As a multiple of what Gatehouse takes. */
  readonly times?: number
  /** The same without what a handler takes that does nothing. */
  readonly net?: number
}

/** What a part of the benchmarks found. */
export interface Findings {
  readonly rows: readonly Row[]
  /** In Markdown. */
  readonly table: string
}

const OURS = 'gatehouse'

/** Figures, one below the other. */
export function judged(rows: readonly Row[]): Findings {
  const lines = rows.map(({ what, unit, value, times, net }) =>
    [what, `${digits(value)} ${unit}`, digits(times) ?? '', digits(net) ?? ''].join(' | '),
  )
  const head = '| what | measured | × ours | net |\n|---|--:|--:|--:|'
  return { rows, table: [head, ...lines.map((line) => `| ${line} |`)].join('\n') }
}

/**
 * The same work, done by Gatehouse and by others: the medians of the rounds, the least first.
 * @param costs by the subject; `gatehouse` is among them
 * @param floor the subject that does nothing
 */
export function compared(
  what: string,
  unit: string,
  costs: ReadonlyMap<string, readonly number[]>,
  floor?: string,
): readonly Row[] {
  const medians = new Map([...costs].map(([subject, all]) => [subject, median(all)]))
  const ours = medians.get(OURS) ?? Number.NaN
  const nothing = floor === undefined ? undefined : (medians.get(floor) ?? Number.NaN)
  return [...medians]
    .filter(([subject]) => subject !== floor)
    .sort(([, one], [, other]) => one - other)
    .map(([subject, value]) => ({
      what: `${what}: ${subject}`,
      unit,
      value,
      times: value / ours,
      ...(nothing !== undefined && { net: (value - nothing) / (ours - nothing) }),
    }))
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1)
  return middle.reduce((sum, value) => sum + value, 0) / middle.length
}

/** Three that say something. */
function digits(value: number | undefined): string | undefined {
  return value?.toLocaleString('en', { maximumSignificantDigits: 3 })
}
