import { readFileSync } from 'node:fs'
import { table, withParts } from '../../infra/description/markdown.ts'
import type { Goal, Ratios } from '../bench/findings.ts'
import { barsOf } from './bars.ts'

/** The result of a part of `npm run quality -- bench` in `quality/bench/results/`. */
interface Result {
  /** Machine and date of the run. */
  readonly machine: string
  readonly goals: readonly Goal[]
  readonly ratios: readonly Ratios[]
}

/** The goals in the report, and the parts that measure them. */
const TOLD = {
  'a call with a bearer token, warm': ['warm'],
  'cold starts': ['cold'],
  'the check of a signature': ['signatures'],
  'a whole webhook': ['accepted'],
  'HTTP Basic': ['basic'],
  'gRPC and STOMP': ['channels', 'stomp-parser'],
  '`npm start`': ['gateway'],
  'large tables': ['growth'],
} as const

/** The page of the benchmarks, with the goals, the measured values, and the machine of each. */
export function speedPage(): string {
  return withParts('quality/bench/README.md', { speed })
}

function speed(): string {
  const rows = Object.entries(TOLD).map(([what, parts]) => [
    what,
    outcomesOf(parts.flatMap((part) => resultOf(part).goals)),
  ])
  return table(['what', `measured (and wanted); ${resultOf('warm').machine}`], rows)
}

function outcomesOf(goals: readonly Goal[]): string {
  const byWhat = [...Map.groupBy(goals, ({ what }) => what)]
  return byWhat.map(([what, all]) => `${what}: ${all.map(outcomeOf).join(', ')}`).join('<br>')
}

function outcomeOf({ peer = '', measured, wanted, isMet }: Goal): string {
  return `${peer} ${measured} (${wanted}${isMet ? '' : ', **missed**'})`.trimStart()
}

/** The comparisons as a bar chart (SVG). */
export function speedPicture(): string {
  return barsOf(
    Object.values(TOLD)
      .flat()
      .flatMap((part) => resultOf(part).ratios),
  )
}

function resultOf(part: string): Result {
  return JSON.parse(readFileSync(`quality/bench/results/${part}.json`, 'utf8'))
}
