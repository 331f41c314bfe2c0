import { describe, expect, it } from 'vitest'
import { outcomeOf, scoreOf, together } from './outcome.ts'
import type { Mutant, Report } from './stryker.ts'

const SOURCE = 'export function half(n: number) {\n  return n / 2\n}\n'

const HALVED = { start: { line: 2, column: 10 }, end: { line: 2, column: 15 } }
const BODY = { start: { line: 1, column: 33 }, end: { line: 3, column: 2 } }

function reportOf(...mutants: readonly Mutant['status'][]): Report {
  const all = mutants.map((status) => ({ status, mutatorName: 'Arithmetic', replacement: 'n * 2', location: HALVED }))
  return { files: { 'lib/half.ts': { source: SOURCE, mutants: all } } }
}

describe('the outcome of a part', () => {
  it('counts mutants that timed out separately, and does not count those that could not run', () => {
    const outcome = outcomeOf(reportOf('Killed', 'Killed', 'Timeout', 'RuntimeError', 'Ignored', 'Survived'))
    expect(outcome).toMatchObject({ killed: 2, timedOut: 1, survived: [{}] })
    expect(scoreOf(outcome)).toBe(75)
  })

  it('states the place and the change of a survivor, with or without coverage', () => {
    const survivor = { file: 'lib/half.ts', line: 2, change: 'n / 2 → n * 2', reason: undefined }
    expect(outcomeOf(reportOf('Survived', 'NoCoverage')).survived).toEqual([survivor, survivor])
  })

  it('shows a change of several lines in one line', () => {
    const mutant = { status: 'Survived', mutatorName: 'Block', replacement: '{}', location: BODY } as const
    const { survived } = outcomeOf({ files: { 'lib/half.ts': { source: SOURCE, mutants: [mutant] } } })
    expect(survived.map(({ change }) => change)).toEqual(['{ return n / 2 } → {}'])
  })

  it('adds up the outcomes of all parts', () => {
    const one = outcomeOf(reportOf('Killed', 'Survived'))
    const all = together([one, outcomeOf(reportOf('Killed', 'Timeout'))])
    expect([all.killed, all.timedOut, all.survived]).toEqual([2, 1, one.survived])
  })
})
