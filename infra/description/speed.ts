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

/** In the order in which they are told. */
const PARTS = ['warm', 'channels', 'console'] as const

/** Each goal and what came out, and where that was. */
export function speed(): string {
  const results = PARTS.map(resultOf)
  const rows = results.flatMap(({ goals }) =>
    goals.map(({ what, measured, wanted, isMet }) => [what, measured, isMet ? wanted : `${wanted}, missed`]),
  )
  const machines = [...new Set(results.map(({ machine }) => machine))].join('; ')
  return `${table(['what', 'measured', 'wanted'], rows)}\n\n${machines}.`
}

/** The comparisons as bars (SVG). */
export function speedPicture(): string {
  return barsOf(PARTS.flatMap((part) => resultOf(part).ratios))
}

function resultOf(part: string): Result {
  return JSON.parse(readFileSync(`bench/results/${part}.json`, 'utf8'))
}
