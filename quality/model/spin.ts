import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, stderr } from 'node:process'
import { promisify } from 'node:util'
import type { Model, Property } from './variants.ts'

const run = promisify(execFile)

/** Whether the model can be checked here; in CI it has to be. */
export function hasSpin(): boolean {
  if (['spin', 'gcc'].every((command) => spawnSync('which', [command]).status === 0)) return true
  if (env['CI']) throw new Error('CI needs spin and gcc')
  stderr.write('skipped: the model of the retry protocol needs spin and gcc\n')
  return false
}

export interface Check {
  readonly model: Model
  readonly property: Property
  /** How much may happen, and which guards stand in place of the model's own. */
  readonly macros: Readonly<Record<string, string | number>>
  /** Whether to tell how it goes wrong, step by step. */
  readonly isTold?: boolean
}

export interface Checked {
  readonly holds: boolean
  readonly states: number
  readonly seconds: number
  /** The assertion that failed, or the kind of the endless run; with all its steps if they were asked for. */
  readonly counterexample: string
}

/** What a process analyser is built with and started with (spinroot.com, "Pan"). */
const ANALYSERS = {
  safety: { built: ['-DSAFETY'], started: [] },
  // In an endless run every process that can go on does so: weak fairness, for more processes than by default.
  liveness: { built: ['-DNFAIR=3'], started: ['-a', '-f'] },
} as const satisfies Record<Property, object>

const DEPTH = 2_000_000
const MEGABYTES = 6000
const MINUTES = 10

/**
 * Checks a property in all states of the model.
 * @throws Error when there are more states than memory, depth or time allow
 */
export async function check({ model, property, macros, isTold = false }: Check): Promise<Checked> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-model-'))
  const within = { cwd: folder, timeout: MINUTES * 60_000, maxBuffer: 64 << 20 }
  try {
    const all = { ...macros, ...(property === 'liveness' && { LIVENESS: 1 }) }
    const definitions = Object.entries(all).map(([name, value]) => `#define ${name} ${value}\n`)
    copyFileSync(`${import.meta.dirname}/${model}.pml`, join(folder, `${model}.pml`))
    writeFileSync(join(folder, 'variant.pml'), `${definitions.join('')}#include "${model}.pml"\n`)
    const { built, started } = ANALYSERS[property]
    await run('spin', ['-a', 'variant.pml'], within)
    await run('gcc', ['-O1', '-DCOLLAPSE', `-DMEMLIM=${MEGABYTES}`, ...built, '-o', 'pan', 'pan.c'], within)
    const { stdout } = await run('./pan', ['-n', `-m${DEPTH}`, ...started], within)
    const told = isTold && existsSync(join(folder, 'variant.pml.trail'))
    const trail = told ? (await run('spin', ['-t', '-p', '-g', 'variant.pml'], within)).stdout : ''
    return readResult(stdout, trail)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readResult(text: string, trail: string): Checked {
  const [, errors] = /errors: (\d+)/.exec(text) ?? []
  const [, states = ''] = /(\d[\d.e+]*) states, stored/.exec(text) ?? []
  const [, seconds = '0'] = /elapsed time ([\d.]+) seconds/.exec(text) ?? []
  const [, wrong = ''] = /^pan:1: (.*)$/m.exec(text) ?? []
  const isWhole = !/out of memory|max search depth too small|Search not completed/.test(text)
  if (errors === undefined || (errors === '0' && !isWhole)) throw new Error(`the search ended early:\n${text}`)
  return {
    holds: errors === '0',
    states: Number(states),
    seconds: Number(seconds),
    counterexample: [wrong, trail].filter(Boolean).join('\n'),
  }
}
