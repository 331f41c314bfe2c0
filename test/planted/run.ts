import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, execPath, exit, stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { keep } from '../support/figures.ts'
import { BUGS, type PlantedBug } from './bugs.ts'
import { copyProject } from './copy.ts'
import { judge, type TestedFile, type Verdict } from './judge.ts'

const USAGE = `npm run planted -- [options]

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

const { only, list, isKept } = optionsIn(argv.slice(2))
if (list) {
  for (const { guard, test } of BUGS) stdout.write(`${guard}: ${test}\n`)
  exit(0)
}

const began = performance.now()
const copy = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-planted-')))
try {
  copyProject(ROOT, copy)
  exit(await plantAll(BUGS.filter(({ guard }) => only.length === 0 || only.includes(guard))))
} finally {
  rmSync(copy, { recursive: true, force: true })
}

function usage(): never {
  stderr.write(USAGE)
  exit(2)
}

function optionsIn(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        only: { type: 'string', multiple: true, default: [] },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
      },
    })
    if (values.help || values.only.some((name) => BUGS.every(({ guard }) => guard !== name))) usage()
    return { only: values.only, list: values.list, isKept: values.keep }
  } catch {
    return usage()
  }
}

/** @returns the exit code */
async function plantAll(bugs: readonly PlantedBug[]): Promise<number> {
  const sick: string[] = []
  for (const [named, group] of Map.groupBy(bugs, (bug) => bug.named)) {
    const files = [...new Set(group.map(({ test }) => test))]
    const healthy = await testsOf(files, named)
    sick.push(...files.flatMap((file) => complaintAbout(file, healthy)))
  }
  if (sick.length > 0) {
    stderr.write(sick.join(''))
    return 1
  }
  const verdicts: Verdict[] = []
  for (const bug of bugs) {
    const verdict = await plant(bug)
    stdout.write(`${SIGNS[verdict.kind]} ${bug.guard}: ${describe(verdict)}\n`)
    verdicts.push(verdict)
  }
  const caught = verdicts.filter(({ kind }) => kind === 'caught').length
  const minutes = (performance.now() - began) / 60_000
  stdout.write(`${caught} of ${bugs.length} planted bugs caught in ${minutes.toFixed(1)} min\n`)
  if (isKept && only.length === 0) {
    keep('planted', {
      claim: 'Every guard is watched by a test',
      command: 'npm run planted',
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
  return tested.find(({ name }) => name === join(copy, file))
}

function describe(verdict: Verdict): string {
  if (verdict.kind === 'caught') return `${verdict.by.length} failed, first “${verdict.by[0]}”`
  return verdict.kind === 'missed' ? 'every test passes' : `it does not run: ${verdict.why}`
}

async function plant({ file, find, replace, test, named }: PlantedBug): Promise<Verdict> {
  const path = join(copy, file)
  const healthy = readFileSync(path, 'utf8')
  const [before = '', after, ...others] = healthy.split(find)
  if (after === undefined || others.length > 0) return { kind: 'broken', why: `“${find}” is not once in ${file}` }
  writeFileSync(path, before + replace + after)
  try {
    return judge(resultOf(test, await testsOf([test], named)))
  } finally {
    writeFileSync(path, healthy)
  }
}

/** Runs files of tests in the copy. A test that fails now and then on a busy machine has noticed nothing. */
async function testsOf(files: readonly string[], named?: string): Promise<readonly TestedFile[]> {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const options = ['--retry=2', '--maxWorkers=1', '--reporter=json', `--outputFile=${report}`]
  const chosen = named === undefined ? [] : [`--testNamePattern=${named}`]
  const args = [join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...files, ...options, ...chosen]
  const child = spawn(execPath, args, { cwd: copy, stdio: 'ignore', timeout: PATIENCE * Math.min(files.length, 4) })
  await once(child, 'exit')
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults
  } catch {
    return []
  }
}
