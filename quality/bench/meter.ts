import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { env, execPath } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Costs } from './findings.ts'
import type { Bundles } from './peers.ts'

export type Environment = Readonly<Record<string, string>>

/** A bundle, and a file with the calls that it gets. */
export interface Start {
  readonly bundle: string
  readonly calls: string
  readonly environment: Environment
}

const FRESH = `${import.meta.dirname}/fresh.mjs`

/** Million instructions of a process that loads a bundle and has it answer so many calls; they repeat to a ten thousandth. */
export async function instructions({ bundle, calls, environment }: Start, count: number): Promise<number> {
  const options = ['--tool=callgrind', '--callgrind-out-file=/dev/null']
  const node = [execPath, '--single-threaded', '--predictable', FRESH, bundle, calls, `${count}`]
  const { stdout, stderr } = await promisify(execFile)('valgrind', [...options, ...node], {
    env: { ...env, ...environment },
  })
  if (stdout.includes('"level":"ERROR"')) throw new Error(`what is counted is a failure: ${stdout}`)
  const [, collected] = /Collected : (\d+)/.exec(stderr) ?? []
  if (collected === undefined) throw new Error(`callgrind says nothing: ${stderr}`)
  return Number(collected) / 1e6
}

/** Million instructions of each of the calls from one count to the other. */
export async function perCall(start: Start, [fewer, more]: readonly [number, number]): Promise<number> {
  const [less = 0, all = 0] = await Promise.all([fewer, more].map((count) => instructions(start, count)))
  return (all - less) / (more - fewer)
}

/** What each bundle takes, measured as many at a time as there are cores. */
export async function ofEach(
  bundles: Bundles,
  take: (bundle: string, name: string) => Promise<number>,
): Promise<Costs> {
  const costs = new Map<string, readonly number[]>()
  const left = bundles.entries()
  const runner = async () => {
    for (const [name, bundle] of left) costs.set(name, [await take(bundle, name)])
  }
  await Promise.all(Array.from({ length: availableParallelism() }, runner))
  return costs
}

/** Whether a command is there; a line that says so where it is not. */
export function isInstalled(command: string): boolean {
  const isThere = (env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, command)))
  if (!isThere) console.log(`what needs ${command} is skipped: it is not installed\n`)
  return isThere
}

/** Asks until it is so; what fails is not so. @throws Error after some milliseconds */
export async function until(holds: () => boolean | Promise<boolean>, patience = 120_000): Promise<void> {
  const end = performance.now() + patience
  const isSo = async () => holds()
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > end) throw new Error('it never was so')
    await setTimeout(50)
  }
}
