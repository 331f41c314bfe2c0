import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { env, execPath } from 'node:process'
import { PARTS, type PartName, SHORT } from './parts.ts'

/** What became of a bug that was put in (mutation-testing-report-schema). */
type Status = 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'RuntimeError' | 'CompileError' | 'Ignored'

interface Position {
  readonly line: number
  readonly column: number
}

export interface Mutant {
  readonly mutatorName: string
  readonly replacement: string
  readonly status: Status
  readonly location: { readonly start: Position; readonly end: Position }
}

export interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>
}

/** Reports, copies of the tree and what is known from the run before; nothing of it is kept in the repository. */
const FOLDER = '.stryker'

/** Of what a test run decides nothing: copied for no mutant. */
const NOT_COPIED = [FOLDER, '.builds', '.data', '.serverless', 'coverage', 'dist', 'docs', 'quality/bench', 'web']

/**
 * Puts bugs into a part, one by one, and runs the unit tests that reach each of them.
 * @param isIncremental takes over what the run before found, where neither the code nor its tests have changed
 * @throws Error when Stryker itself fails
 */
export function mutate(name: PartName | 'short', isIncremental: boolean): Report {
  const part = name === 'short' ? SHORT : PARTS[name]
  const report = `${FOLDER}/${name}.json`
  const options = {
    mutate: part.mutate,
    testRunner: 'vitest',
    vitest: { configFile: 'quality/mutants/vitest.config.ts' },
    coverageAnalysis: 'perTest',
    concurrency: availableParallelism(),
    // A busy machine is no endless loop; loops are told by the count of their rounds.
    timeoutMS: 20_000,
    incremental: isIncremental,
    incrementalFile: `${FOLDER}/${name}-before.json`,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    tempDirName: `${FOLDER}/copies-${name}`,
    ignorePatterns: NOT_COPIED,
    // TypeScript 7 has no API for what Stryker would do to the tsconfig.json of the copy, which no test run reads.
    tsconfigFile: `${FOLDER}/none.json`,
    warnings: { slow: false },
  }
  mkdirSync(FOLDER, { recursive: true })
  rmSync(report, { force: true })
  const file = `${FOLDER}/${name}-options.json`
  writeFileSync(file, JSON.stringify(options))
  const { status } = spawnSync(execPath, ['quality/node_modules/@stryker-mutator/core/bin/stryker.js', 'run', file], {
    stdio: ['ignore', 2, 2],
    env: { ...env, MUTANTS_TESTS: part.tests.join(','), ...(name === 'short' && { MUTANTS_ONLY: SHORT.only }) },
  })
  if (status !== 0) throw new Error(`Stryker ended with ${status}`)
  return JSON.parse(readFileSync(report, 'utf8'))
}
