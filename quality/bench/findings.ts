/** One figure. */
export interface Row {
  readonly what: string
  readonly unit: string
  readonly value: number
  /** The value may not be higher. */
  readonly goal?: number
  /** Why the goal may be missed. */
  readonly why?: string
}

/** What a part of the benchmarks found. */
export interface Findings {
  /** In Markdown. */
  readonly table: string
  readonly goals: readonly Goal[]
  /** Who does with less, where nothing was promised. */
  readonly ahead?: readonly Outcome[]
}

/** What came out. */
export interface Outcome {
  readonly what: string
  /** Whom it is compared with. */
  readonly peer?: string
  readonly measured: string
}

/** What was wanted, and what came out. */
export interface Goal extends Outcome {
  readonly wanted: string
  readonly isMet: boolean
  /** How far it is from what was wanted, in percent. */
  readonly missedBy?: number
  /** Why, where that is known. */
  readonly why?: string
}

const DIGITS = new Intl.NumberFormat('en', { maximumFractionDigits: 1, minimumFractionDigits: 1 })

/** Figures, one below the other, each with its goal. */
export function judged(rows: readonly Row[]): Findings {
  const goals = new Map(rows.map((row) => [row, goalOf(row)]))
  const lines = rows.map((row) => `| ${row.what} | ${measured(row)} | ${verdictOf(goals.get(row))} |`)
  return {
    table: ['| what | measured | goal |', '|---|--:|---|', ...lines].join('\n'),
    goals: [...goals.values()].filter((goal) => goal !== undefined),
  }
}

/** The same figures of many things, each in a line of its own; they have no goals. */
export function compared(heads: readonly string[], lines: ReadonlyMap<string, readonly number[]>): Findings {
  const rows = [...lines].map(([name, values]) => [name, ...values.map((value) => DIGITS.format(value))])
  return { table: tableOf(heads, rows), goals: [] }
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
    ahead: all.flatMap(({ ahead = [] }) => ahead),
  }
}

export function verdictOf(goal: Goal | undefined): string {
  return goal === undefined ? '' : `${goal.wanted}: ${goal.isMet ? 'met' : 'missed'}`
}

/** A goal whose value may not be higher than its bound; for one that may not be lower, both are inverted. */
export function bounded(
  outcome: Outcome & { readonly wanted: string; readonly why?: string | undefined },
  { value, most }: { readonly value: number; readonly most: number },
): Goal {
  const { why, ...told } = outcome
  if (value <= most) return { ...told, isMet: true }
  return { ...told, isMet: false, missedBy: (value / most - 1) * 100, ...(why !== undefined && { why }) }
}

function goalOf({ what, unit, value, goal, why }: Row): Goal | undefined {
  if (goal === undefined) return undefined
  const outcome = { what, wanted: `≤ ${goal} ${unit}`, measured: measured({ what, unit, value }), why }
  return bounded(outcome, { value, most: goal })
}

function measured({ value, unit }: Row): string {
  return `${DIGITS.format(value)} ${unit}`
}
