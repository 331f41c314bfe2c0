/** One figure. */
export interface Row {
  readonly what: string
  readonly unit: string
  readonly value: number
  /** The value may not be higher. */
  readonly goal?: number
}

const DIGITS = new Intl.NumberFormat('en', { maximumFractionDigits: 1, minimumFractionDigits: 1 })

/** What a part of the benchmarks found. */
export interface Findings {
  /** In Markdown. */
  readonly table: string
  /** Whether no goal was missed. */
  readonly isMet: boolean
}

/** Figures, one below the other, each with its goal. */
export function judged(rows: readonly Row[]): Findings {
  return { table: tableOf(rows), isMet: rows.every(isMet) }
}

/** The same figures of many things, each in a line of its own; they have no goals. */
export function compared(heads: readonly string[], lines: ReadonlyMap<string, readonly number[]>): Findings {
  const rows = [...lines].map(
    ([name, values]) => `| ${[name, ...values.map((value) => DIGITS.format(value))].join(' | ')} |`,
  )
  const rule = `|---|${'--:|'.repeat(heads.length - 1)}`
  return { table: [`| ${heads.join(' | ')} |`, rule, ...rows].join('\n'), isMet: true }
}

/** A table in Markdown. */
function tableOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => `| ${row.what} | ${DIGITS.format(row.value)} ${row.unit} | ${verdictOf(row)} |`)
  return ['| what | measured | goal |', '|---|--:|---|', ...lines].join('\n')
}

function verdictOf({ unit, goal, ...row }: Row): string {
  if (goal === undefined) return ''
  return `≤ ${goal} ${unit}: ${isMet({ unit, goal, ...row }) ? 'met' : 'missed'}`
}

function isMet({ value, goal = Number.POSITIVE_INFINITY }: Row): boolean {
  return value <= goal
}
