import type { Mutant, Report } from './stryker.ts'
import { SURVIVORS } from './survivors.ts'

/** What became of the mutants of a part. */
export interface Outcome {
  readonly killed: number
  /** Found because the tests did not come to an end. */
  readonly timedOut: number
  readonly survived: readonly Survivor[]
}

export interface Survivor {
  readonly file: string
  readonly line: number
  /** What was there and what took its place. */
  readonly change: string
  /** Why no test can tell them apart; undefined where a test is missing. */
  readonly reason: string | undefined
}

export function outcomeOf({ files }: Report): Outcome {
  const all = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ file, source, mutant })),
  )
  const count = (status: Mutant['status']) => all.filter(({ mutant }) => mutant.status === status).length
  const survived = all
    .filter(({ mutant: { status } }) => status === 'Survived' || status === 'NoCoverage')
    .map(({ file, source, mutant }) => survivor(file, source, mutant))
  return { killed: count('Killed'), timedOut: count('Timeout'), survived }
}

/** Found mutants in percent of all that can run. */
export function scoreOf({ killed, timedOut, survived }: Outcome): number {
  const found = killed + timedOut
  return (found / (found + survived.length)) * 100
}

export function together(outcomes: readonly Outcome[]): Outcome {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
  return {
    killed: sum(outcomes.map(({ killed }) => killed)),
    timedOut: sum(outcomes.map(({ timedOut }) => timedOut)),
    survived: outcomes.flatMap(({ survived }) => survived),
  }
}

function survivor(file: string, source: string, { location: { start, end }, replacement }: Mutant): Survivor {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  const last = lines.length - 1
  const original = lines
    .map((text, index) => text.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined))
    .join('\n')
  const change = `${oneLine(original)} → ${oneLine(replacement)}`
  const reason = SURVIVORS[file]?.find(({ changes }) => changes.includes(change))?.reason
  return { file, line: start.line, change, reason }
}

function oneLine(code: string): string {
  return code.replace(/\s+/g, ' ')
}
