import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, execPath, stderr, stdout } from 'node:process'
import { readOptions, runCommand, UsageError } from '../../localstack/command.ts'
import { copyProject } from '../../test/support/copy-project.ts'
import { keep } from '../support/figures.ts'
import { BUGS, type PlantedBug } from './bugs.ts'
import { judge, type TestedFile, type Verdict } from './judge.ts'

const USAGE = `npm run quality -- planted [options]

Plants bugs, one per guard, in a copy of the project, and looks whether a test notices each of them.
  --only GUARD   that bug alone; may be given several times
  --list         the guards
  --keep         keeps the figures for the README
Exit 1 when a bug was not noticed, or when a test fails without one.
`

const ROOT = join(import.meta.dirname, '..', '..')

/** For the tests of one bug, in milliseconds. */
const PATIENCE = 300_000

const SIGNS = { caught: '✓', missed: '✗', broken: '?' } as const satisfies Record<Verdict['kind'], string>

await runCommand({ name: 'quality -- planted', usage: USAGE, run })

async function run(args: readonly string[]): Promise<number> {
  const { values } = readOptions({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      list: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  })
  if (values.list) {
    for (const { guard, test } of BUGS) stdout.write(`${guard}: ${test}\n`)
    return 0
  }
  if (values.keep && values.only.length > 0) throw new UsageError('--keep keeps figures of all bugs only')
  const bugs = values.only.length > 0 ? values.only.map(bugOf) : BUGS
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-planted-')))
  try {
    copyProject(ROOT, copy)
    return await plantAll(bugs, copy, values.keep)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function bugOf(guard: string): PlantedBug {
  const bug = BUGS.find((one) => one.guard === guard)
  if (bug) return bug
  throw new UsageError('--only must be one of the guards that --list tells')
}

/** @returns the exit code */
async function plantAll(bugs: readonly PlantedBug[], copy: string, isKept: boolean): Promise<number> {
  const began = performance.now()
  const sick: string[] = []
  for (const [named, group] of Map.groupBy(bugs, (bug) => bug.named)) {
    const files = [...new Set(group.map(({ test }) => test))]
    const healthy = await testsOf(copy, files, named)
    sick.push(...files.flatMap((file) => complaintAbout(join(copy, file), healthy)))
  }
  if (sick.length > 0) {
    stderr.write(sick.join(''))
    return 1
  }
  const verdicts: Verdict[] = []
  for (const bug of bugs) {
    const verdict = await plant(bug, copy)
    stdout.write(`${SIGNS[verdict.kind]} ${bug.guard}: ${describe(verdict)}\n`)
    verdicts.push(verdict)
  }
  const caught = verdicts.filter(({ kind }) => kind === 'caught').length
  const minutes = (performance.now() - began) / 60_000
  stdout.write(`${caught} of ${bugs.length} planted bugs caught in ${minutes.toFixed(1)} min\n`)
  if (isKept) {
    keep('planted', {
      claim: 'Every guard is watched by a test',
      command: 'npm run quality -- planted',
      tried: `${bugs.length} bugs planted, one per guard, in ${new Set(bugs.map(({ file }) => file)).size} files`,
      found: `${caught} caught by a test, ${bugs.length - caught} missed`,
      minutes,
    })
  }
  return caught === bugs.length ? 0 : 1
}

/** Without a bug nothing may be caught. */
function complaintAbout(file: string, tested: readonly TestedFile[]): readonly string[] {
  const verdict = judge(resultOf(file, tested))
  return verdict.kind === 'missed' ? [] : [`${file} fails without any bug: ${describe(verdict)}\n`]
}

function resultOf(file: string, tested: readonly TestedFile[]): TestedFile | undefined {
  return tested.find(({ name }) => name === file)
}

function describe(verdict: Verdict): string {
  if (verdict.kind === 'caught') return `${verdict.by.length} failed, first “${verdict.by[0]}”`
  return verdict.kind === 'missed' ? 'every test passes' : `it does not run: ${verdict.why}`
}

async function plant({ file, find, replace, test, named }: PlantedBug, copy: string): Promise<Verdict> {
  const path = join(copy, file)
  const healthy = readFileSync(path, 'utf8')
  const [before = '', after, ...others] = healthy.split(find)
  if (after === undefined || others.length > 0) return { kind: 'broken', why: `“${find}” is not once in ${file}` }
  writeFileSync(path, before + replace + after)
  try {
    return judge(resultOf(join(copy, test), await testsOf(copy, [test], named)))
  } finally {
    writeFileSync(path, healthy)
  }
}

/** Runs files of tests in the copy; nothing where they do not run. A test that fails now and then has noticed nothing. */
async function testsOf(copy: string, files: readonly string[], named?: string): Promise<readonly TestedFile[]> {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const options = ['--retry=2', '--maxWorkers=1', '--reporter=json', `--outputFile=${report}`]
  const chosen = named === undefined ? [] : [`--testNamePattern=${named}`]
  const args = [join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...files, ...options, ...chosen]
  const timeout = PATIENCE * Math.min(files.length, 4)
  // In CI the configuration writes the report elsewhere.
  const child = spawn(execPath, args, { cwd: copy, env: { ...env, CI: '' }, stdio: 'ignore', timeout })
  await once(child, 'exit')
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults
  } catch {
    return []
  }
}
