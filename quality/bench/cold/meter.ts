import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { env, execPath } from 'node:process'
import { promisify } from 'node:util'
import { effort, IS_SHORT } from '../effort.ts'

/** A bundle, the file with the call that it gets, and its environment. */
export interface Start {
  readonly bundle: string
  readonly call: string
  readonly environment: Readonly<Record<string, string>>
}

/** How the cost of a process is measured here. */
export interface Meter {
  readonly unit: string
  /** How often each start is measured. */
  readonly rounds: number
  /** How many may be measured at a time. */
  readonly atOnce: number
  /** So many times slower than by itself is a process that is measured. */
  readonly slowdown: number
  cost(start: Start): Promise<number>
}

const SUBJECT = `${import.meta.dirname}/subject.mjs`
const run = promisify(execFile)

/** Instructions repeat to a ten thousandth, whatever else the machine does. */
const instructions: Meter = {
  unit: 'million instructions',
  rounds: 1,
  atOnce: availableParallelism(),
  slowdown: 100,
  async cost({ bundle, call, environment }) {
    return instructionsOf([SUBJECT, bundle, call], environment)
  },
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
  slowdown: 1,
  async cost({ bundle, call, environment }) {
    const { stderr } = await run(execPath, [SUBJECT, bundle, call], { env: { ...env, ...environment } })
    return Number(stderr.trimEnd().split('\n').at(-1))
  },
}

/** Instructions where valgrind is, processor time elsewhere. */
export function meterHere(): Meter {
  const isThere = hasValgrind() && !IS_SHORT
  if (!isThere) console.log('cold: CPU time instead of instructions, because there is no valgrind\n')
  return isThere ? instructions : processorTime
}
