import type { Walked } from './walk.ts'

/** What a run of the command came to. */
interface MigrateReport {
  /** How many rows were found of each version. */
  readonly versions: Readonly<Record<number, number>>
  readonly newest: number
  readonly rewritten: number
  readonly left: number
  /** Rows of a version that this release does not know. */
  readonly unknown: number
}

/** @param newest the newest version that this release knows */
export function reportOf(
  { versions, rewritten, left }: Pick<Walked, 'versions' | 'rewritten' | 'left'>,
  newest: number,
) {
  const sorted = [...versions].sort(([one], [other]) => one - other)
  const unknown = sorted.reduce((sum, [version, count]) => sum + (version > newest ? count : 0), 0)
  const report: MigrateReport = { versions: Object.fromEntries(sorted), newest, rewritten, left, unknown }
  const found = sorted.map(([version, count]) => `${count} of version ${version}`).join(', ') || 'none'
  return { report, code: unknown > 0 ? 1 : left > 0 ? 3 : 0, text: `rows: ${found}; ${endOf(report)}` }
}

function endOf({ newest, rewritten, left, unknown }: MigrateReport): string {
  if (unknown > 0) return `${unknown} are of a version that this release does not know: its newest is ${newest}`
  if (rewritten + left === 0) return 'nothing to do'
  return `${rewritten} rewritten, ${left} left`
}
