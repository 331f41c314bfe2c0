import { readFileSync } from 'node:fs'
import { code, table, withParts } from '../../infra/description/markdown.ts'
import type { Goal, Outcome, Ratios } from '../bench/findings.ts'
import { barsOf } from './bars.ts'

/** The result of a part of `npm run quality -- bench` in `quality/bench/results/`. */
interface Result {
  /** Machine and date of the run. */
  readonly machine: string
  readonly goals: readonly Goal[]
  readonly ahead?: readonly Outcome[]
  readonly ratios: readonly Ratios[]
}

/** The headings of the page, and the parts of the benchmarks that tell something about each. */
const TOLD = {
  'A call with a bearer token, warm': ['warm'],
  'Cold starts, and the first call': ['cold'],
  'A whole webhook': ['accepted'],
  'npm start': ['gateway'],
  'The check of a signature': ['signatures'],
  'HTTP Basic': ['basic'],
  'gRPC and STOMP': ['channels', 'send', 'stomp-parser'],
  'Large tables': ['growth'],
} as const

/** Parts whose ratios are in the picture. */
const PICTURED = ['warm', 'cold', 'accepted', 'basic', 'channels', 'send'] as const

/** The page of the benchmarks: each goal with its value, and whoever does with less than Gatehouse. */
export function speedPage(): string {
  return withParts('docs/speed.md', { speed })
}

function speed(): string {
  return Object.entries(TOLD)
    .map(
      ([heading, parts]) =>
        `## ${heading}\n\n${table(
          HEADS,
          parts.flatMap((part) => rowsOf(part, resultOf(part))),
        )}`,
    )
    .join('\n\n')
}

const HEADS = ['what', 'measured', 'goal', '', 'again']

/** A row for each goal and for each who does with less. */
export function rowsOf(part: string, { machine, goals, ahead = [] }: Result): readonly (readonly string[])[] {
  const again = `${code(`bench ${part}`)}, ${machine}`
  return [
    ...goals.map((goal) => [...cellsOf(goal), goal.wanted, verdictOf(goal), again]),
    ...ahead.map((outcome) => [...cellsOf(outcome), '', '**ahead of ours**', again]),
  ]
}

function cellsOf({ what, peer, measured }: Outcome): readonly string[] {
  return [peer === undefined ? what : `${what}: ${peer}`, measured]
}

function verdictOf({ isMet, missedBy, why }: Goal): string {
  if (isMet) return 'met'
  const by = missedBy === undefined ? '' : ` by ${missedBy < 1 ? missedBy.toFixed(1) : missedBy.toFixed(0)} %`
  return `**missed**${by}. ${why ?? 'Not explained.'}`
}

/** The comparisons as a bar chart (SVG). */
export function speedPicture(): string {
  return barsOf(PICTURED.flatMap((part) => resultOf(part).ratios))
}

function resultOf(part: string): Result {
  return JSON.parse(readFileSync(`quality/bench/results/${part}.json`, 'utf8'))
}
