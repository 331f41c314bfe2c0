/** One figure. */
export interface Row {
  readonly what: string
  readonly unit: string
  readonly value: number
  /** The value may not be higher. */
  readonly goal?: number
}

const DIGITS = new Intl.NumberFormat('en', { maximumFractionDigits: 1, minimumFractionDigits: 1 })

/** A table in Markdown. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => `| ${row.what} | ${DIGITS.format(row.value)} ${row.unit} | ${verdictOf(row)} |`)
  return ['| what | measured | goal |', '|---|--:|---|', ...lines].join('\n')
}

function verdictOf({ unit, goal, ...row }: Row): string {
  if (goal === undefined) return ''
  return `≤ ${goal} ${unit}: ${isMet({ unit, goal, ...row }) ? 'met' : 'missed'}`
}

export function isMet({ value, goal = Number.POSITIVE_INFINITY }: Row): boolean {
  return value <= goal
}
