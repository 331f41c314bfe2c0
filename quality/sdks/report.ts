import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { DECISIONS, type Judged } from './compare.ts'
import type { Sdk } from './sdk.ts'

/** What came of one row of the table of SDKs. */
export interface Outcome {
  readonly sdk: Pick<Sdk, 'package' | 'source' | 'kind' | 'sign'>
  readonly judged: readonly Judged[]
}

const HEAD = ['package', 'source', 'signed by', 'cases', 'equal', 'decided', 'different']

/** A table with a line for each outcome, and below it what was decided and the sum. */
export function reportOf(outcomes: readonly Outcome[]): string {
  const rows = [HEAD, ...outcomes.map(cellsOf)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  const table = rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const all = outcomes.flatMap(({ judged }) => judged)
  const reasons = DECISIONS.filter(({ name }) => all.some((one) => one.name === name && one.grade === 'decided'))
  const packages = new Set(outcomes.map(({ sdk }) => sdk.package)).size
  const sum = (['equal', 'decided', 'different'] as const).map((grade) => `${grade}: ${countOf(all, grade)}`)
  return [
    ...table,
    ...reasons.map(({ name, here, why }) => `decided: ${name} is ${here} here, for ${why}`),
    `packages: ${packages}, calls: ${all.length}, ${sum.join(', ')}`,
    '',
  ].join('\n')
}

/** 1 if any verdict differs without a decision. */
export function exitCodeOf(outcomes: readonly Outcome[]): 0 | 1 {
  return outcomes.some(({ judged }) => countOf(judged, 'different') > 0) ? 1 : 0
}

function cellsOf({ sdk, judged }: Outcome): readonly string[] {
  return [
    `${sdk.package}@${versionOf(sdk.package)}`,
    sdk.kind === undefined ? sdk.source : `${sdk.source} (${sdk.kind})`,
    sdk.sign ? 'the SDK' : 'npm run send',
    String(judged.length),
    String(countOf(judged, 'equal')),
    listOf(judged, 'decided', ({ name }) => name),
    listOf(judged, 'different', ({ name, here, there }) => `${name}: ${here}, by the SDK ${there}`),
  ]
}

function listOf(judged: readonly Judged[], grade: Judged['grade'], asText: (one: Judged) => string): string {
  const found = judged.filter((one) => one.grade === grade)
  return found.length === 0 ? '-' : found.map(asText).join('; ')
}

function countOf(judged: readonly Judged[], grade: Judged['grade']): number {
  return judged.filter((one) => one.grade === grade).length
}

function versionOf(name: string): string {
  const file = findPackageJSON(name, import.meta.url)
  if (file === undefined) throw new Error(`${name} is not installed`)
  return JSON.parse(readFileSync(file, 'utf8')).version
}
