import { readFileSync } from 'node:fs'
import type { Goal, Ratios } from '../../bench/findings.ts'
import { barsOf } from './bars.ts'
import { table } from './markdown.ts'

/** What a part of `npm run bench` has left in `bench/results/`. */
interface Result {
  /** Where and when. */
  readonly machine: string
  readonly goals: readonly Goal[]
  readonly ratios: readonly Ratios[]
}

/** What is told, and the parts that measure it. */
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

/** What was wanted and what came out, and where that was. */
export function speed(): string {
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

/** The comparisons as bars (SVG). */
export function speedPicture(): string {
  return barsOf(
    Object.values(TOLD)
      .flat()
      .flatMap((part) => resultOf(part).ratios),
  )
}

function resultOf(part: string): Result {
  return JSON.parse(readFileSync(`bench/results/${part}.json`, 'utf8'))
}
