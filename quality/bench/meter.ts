import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { env, execPath } from 'node:process'
import { promisify } from 'node:util'

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
  const { stderr } = await promisify(execFile)('valgrind', [...options, ...node], { env: { ...env, ...environment } })
  const [, collected] = /Collected : (\d+)/.exec(stderr) ?? []
  if (collected === undefined) throw new Error(`callgrind says nothing: ${stderr}`)
  return Number(collected) / 1e6
}

/** Million instructions of each of the calls from one count to the other. */
export async function perCall(start: Start, [fewer, more]: readonly [number, number]): Promise<number> {
  const [less = 0, all = 0] = await Promise.all([fewer, more].map((count) => instructions(start, count)))
  return (all - less) / (more - fewer)
}

/** Does the same for each, as many at a time as there are cores. */
export async function ofEach<T>(things: Iterable<T>, work: (thing: T) => Promise<unknown>): Promise<void> {
  const left = Iterator.from(things)
  const runner = async () => {
    for (const thing of left) await work(thing)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, runner))
}

/** Whether instructions can be counted; a line that says so where they cannot. */
export function hasValgrind(): boolean {
  const isThere = isInstalled('valgrind')
  if (!isThere) console.log('instructions: skipped, because there is no valgrind\n')
  return isThere
}

/** Whether a command is there. */
export function isInstalled(command: string): boolean {
  return (env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, command)))
}
