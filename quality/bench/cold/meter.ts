import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { env, execPath } from 'node:process'
import { promisify } from 'node:util'
import { effort, IS_SHORT } from '../effort.ts'
import type { Call } from './calls.ts'

/** A fresh process that loads a bundle and has it answer the same call, once or so many times. */
export interface Start {
  readonly bundle: string
  readonly call: Call
  readonly calls?: number
  readonly environment: Readonly<Record<string, string>>
}

/** How the cost of a process is measured here. */
export interface Meter {
  readonly unit: string
  /** How often each start is measured. */
  readonly rounds: number
  /** How many may be measured at a time. */
  readonly atOnce: number
  cost(start: Start): Promise<number>
}

const SUBJECT = `${import.meta.dirname}/subject.mjs`
const run = promisify(execFile)

/** A process that counts instructions is so many times slower. */
const SLOWDOWN = 100

const scriptOf = ({ bundle, call, calls }: Start, slowdown: number) => [
  SUBJECT,
  bundle,
  JSON.stringify({ ...call, calls, slowdown }),
]

/** Instructions repeat to a ten thousandth, whatever else the machine does. */
export const instructions: Meter = {
  unit: 'million instructions',
  rounds: 1,
  atOnce: availableParallelism(),
  cost: (start) => instructionsOf(scriptOf(start, SLOWDOWN), start.environment),
}

/** What a process of Node executes from its start to its end, in millions. @throws Error where valgrind is not installed */
export async function instructionsOf(script: readonly string[], environment: Start['environment']): Promise<number> {
  const options = ['--tool=callgrind', '--callgrind-out-file=/dev/null']
  const node = [execPath, '--single-threaded', '--predictable', ...script]
  const { stderr } = await run('valgrind', [...options, ...node], { env: { ...env, ...environment } })
  const [, collected] = /Collected : (\d+)/.exec(stderr) ?? []
  if (collected === undefined) throw new Error(`callgrind says nothing: ${stderr}`)
  return Number(collected) / 1e6
}

export function hasValgrind(): boolean {
  return (env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'valgrind')))
}

/** Processor time of all threads, the system's work for them included. */
const processorTime: Meter = {
  unit: 'ms of CPU',
  rounds: effort(9, 1),
  atOnce: 1,
  async cost(start) {
    const { stderr } = await run(execPath, scriptOf(start, 1), { env: { ...env, ...start.environment } })
    return Number(stderr.trimEnd().split('\n').at(-1))
  },
}

/** Instructions where valgrind is, processor time elsewhere. */
export function meterHere(): Meter {
  const isThere = hasValgrind() && !IS_SHORT
  if (!isThere) console.log('cold: CPU time instead of instructions, because there is no valgrind\n')
  return isThere ? instructions : processorTime
}

/** What each of the calls from one count to the other takes. */
export async function costOfCalls(
  meter: Meter,
  start: Omit<Start, 'calls'>,
  [fewer, more]: readonly [number, number],
): Promise<number> {
  const [less, all] = await Promise.all([fewer, more].map((calls) => meter.cost({ ...start, calls })))
  return ((all ?? Number.NaN) - (less ?? Number.NaN)) / (more - fewer)
}
