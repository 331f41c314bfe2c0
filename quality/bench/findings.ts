/** One figure. */
export interface Row {
  readonly what: string
  readonly unit: string
  readonly value: number
  /** The value may not be higher. */
  readonly goal?: number
}

/** What a part of the benchmarks found. */
export interface Findings {
  /** In Markdown. */
  readonly table: string
  readonly goals: readonly Goal[]
  readonly ratios: readonly Ratios[]
}

/** What was wanted, and what came out. */
export interface Goal {
  readonly what: string
  /** Whom it is compared with. */
  readonly peer?: string
  readonly wanted: string
  readonly measured: string
  readonly isMet: boolean
}

/** What the same takes elsewhere, as a multiple of what it takes in Gatehouse: a line of the picture. */
export interface Ratios {
  readonly what: string
  readonly times: Readonly<Record<string, number>>
}

const DIGITS = new Intl.NumberFormat('en', { maximumFractionDigits: 1, minimumFractionDigits: 1 })

/** Figures, one below the other, each with its goal. */
export function judged(rows: readonly Row[]): Findings {
  const goals = new Map(rows.map((row) => [row, goalOf(row)]))
  const lines = rows.map((row) => `| ${row.what} | ${measured(row)} | ${verdictOf(goals.get(row))} |`)
  return {
    table: ['| what | measured | goal |', '|---|--:|---|', ...lines].join('\n'),
    goals: [...goals.values()].filter((goal) => goal !== undefined),
    ratios: [],
  }
}

/** The same figures of many things, each in a line of its own; they have no goals. */
export function compared(heads: readonly string[], lines: ReadonlyMap<string, readonly number[]>): Findings {
  const rows = [...lines].map(([name, values]) => [name, ...values.map((value) => DIGITS.format(value))])
  return { table: tableOf(heads, rows), goals: [], ratios: [] }
}

/** In Markdown; all but the first column are figures. */
export function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = `|---|${'--:|'.repeat(heads.length - 1)}`
  return [lineOf(heads), rule, ...rows.map(lineOf)].join('\n')
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** The findings of several pieces as those of one part, each below its heading. */
export function together(pieces: Readonly<Record<string, Findings>>): Findings {
  const all = Object.values(pieces)
  return {
    table: Object.entries(pieces)
      .map(([heading, { table }]) => `## ${heading}\n\n${table.replaceAll(/^##/gm, '###')}`)
      .join('\n\n'),
    goals: all.flatMap(({ goals }) => goals),
    ratios: all.flatMap(({ ratios }) => ratios),
  }
}

export function verdictOf(goal: Goal | undefined): string {
  return goal === undefined ? '' : `${goal.wanted}: ${goal.isMet ? 'met' : 'missed'}`
}

function goalOf({ what, unit, value, goal, ...rest }: Row): Goal | undefined {
  if (goal === undefined) return undefined
  return { what, wanted: `≤ ${goal} ${unit}`, measured: measured({ what, unit, value, ...rest }), isMet: value <= goal }
}

function measured({ value, unit }: Row): string {
  return `${DIGITS.format(value)} ${unit}`
}
