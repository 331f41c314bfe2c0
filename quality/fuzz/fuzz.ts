import type { Buffer } from 'node:buffer'
import { availableParallelism } from 'node:os'
import { exit, stdout } from 'node:process'
import { writeCorpus } from '../../test/inputs/corpus.ts'
import type { Target } from '../../test/inputs/target.ts'
import { onEveryCore } from '../support/cores.ts'
import type { Part, Result } from './share.ts'
import { createWindow, watchWindows } from './window.ts'

export interface Amount {
  readonly inputs: number
  readonly minutes: number
}

/** More than anybody waits for. */
export const ENDLESS = 1_000_000_000

interface Order {
  readonly targets: readonly Target[]
  readonly seed: number
  readonly amount: Amount
  readonly isKept: boolean
}

/** More than this is a leak, in bytes; engines keep something of all code that runs. */
const GROWTH = 20 * 2 ** 20

/** Has every core hunt at every target. @returns the exit code */
export async function fuzz({ targets, seed, amount, isKept }: Order): Promise<number> {
  const began = performance.now()
  const weight = targets.reduce((sum, target) => sum + weightOf(target), 0)
  const parts: readonly Part[] = targets.map((target) => ({
    name: target.name,
    inputs: Math.ceil((amount.inputs * weightOf(target)) / weight),
    minutes: amount.minutes / targets.length,
  }))
  const windows = Array.from({ length: availableParallelism() }, createWindow)
  const leave = watchWindows(windows, (part, input) => stop(parts[part]?.name ?? '', input))
  const given = { parts, seed, windows }
  const results = (await onEveryCore<readonly Result[]>(new URL('share.ts', import.meta.url), given)).flat()
  leave()
  const together = targets.map(({ name }) => joined(name, results))
  for (const one of together) tell(one)
  const minutes = (performance.now() - began) / 60_000
  const tried = together.reduce((sum, one) => sum + one.tried, 0)
  const wrong = together.reduce((sum, one) => sum + one.findings.length, 0)
  const growth = together.reduce((sum, one) => sum + Math.max(0, one.growth), 0)
  const summary = `${tried.toLocaleString('en')} inputs for ${targets.length} parsers`
  const found = `${wrong} throws, wrong answers or hangs; heap +${(growth / 2 ** 20).toFixed(1)} MB`
  stdout.write(`${summary} from seed ${seed}: ${found}, ${(minutes * 60).toFixed(0)} s\n`)
  if (isKept) for (const { name, corpus } of together) writeCorpus(name, corpus)
  return wrong > 0 || growth > GROWTH ? 1 : 0
}

function weightOf({ weight = 1 }: Target): number {
  return weight
}

function joined(name: string, results: readonly Result[]): Result {
  const own = results.filter((result) => result.name === name)
  const sum = (read: (result: Result) => number) => own.reduce((total, result) => total + read(result), 0)
  return {
    name,
    tried: sum(({ tried }) => tried),
    milliseconds: Math.max(...own.map(({ milliseconds }) => milliseconds)),
    growth: sum(({ growth }) => growth),
    findings: own.flatMap(({ findings }) => findings),
    found: own.flatMap(({ found }) => found),
    corpus: own.map(({ corpus }) => corpus).reduce((one, other) => (one.length > other.length ? one : other), []),
  }
}

function tell({ name, tried, milliseconds, growth, findings, found }: Result): void {
  const pace = Math.round((tried / milliseconds) * 1000).toLocaleString('en')
  const memory = `heap ${growth < 0 ? '' : '+'}${(growth / 2 ** 20).toFixed(1)} MB`
  stdout.write(
    `${name}: ${tried.toLocaleString('en')} inputs, ${pace} a second, ${found.length} reached new code, ${memory}\n`,
  )
  for (const { input, problem } of findings) stdout.write(described(name, input, problem))
}

function described(target: string, input: string, problem: string): string {
  return `  ${problem}\n  again: npm run quality -- fuzz --target ${target} --again '${quoted(JSON.stringify(input))}'\n`
}

/** A thread that is stuck cannot say so itself. */
function stop(target: string, input: Buffer): never {
  stdout.write(`${target}:\n${described(target, input.toString('latin1'), 'never comes to an end')}`)
  exit(1)
}

/** Within single quotes of a shell. */
function quoted(text: string): string {
  return text.replaceAll("'", String.raw`'\''`)
}
