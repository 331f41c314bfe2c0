import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { readCorpus } from '../../test/inputs/corpus.ts'
import type { Target } from '../../test/inputs/target.ts'
import type { Share } from '../support/cores.ts'
import { watchCoverage } from './coverage.ts'
import { essential, hunt } from './hunt.ts'
import { close, createWindow, showIn } from './window.ts'

/** A target, and how much of it. */
export interface Part {
  readonly name: string
  readonly inputs: number
  readonly minutes: number
}

/** What one core did with one target. */
export interface Result {
  readonly name: string
  readonly tried: number
  readonly milliseconds: number
  /** By how much the heap grew while nothing new was found any more, in bytes. */
  readonly growth: number
  readonly findings: readonly { readonly input: string; readonly problem: string }[]
  readonly found: readonly string[]
  /** What is worth to be kept of these and of the corpus. */
  readonly corpus: readonly string[]
}

interface Given {
  readonly parts: readonly Part[]
  readonly seed: number
  readonly share: Share
  /** One for each core. */
  readonly windows: readonly SharedArrayBuffer[]
}

const { parts, seed, share, windows } = workerData as Given
const window = windows[share.index] ?? createWindow()

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const text = (input: Buffer) => input.toString('latin1')

function shown(target: Target, show: (input: Buffer) => void): Target {
  return {
    ...target,
    run(input) {
      show(input)
      return target.run(input)
    },
  }
}

function heap(): number {
  collect()
  return process.memoryUsage().heapUsed
}

const coverage = watchCoverage((url) => url.includes('/lib/'))
const { targetCalled } = await import('../../test/inputs/targets.ts')
const results: Result[] = []
for (const [number, { name, inputs, minutes }] of parts.entries()) {
  const target = shown(targetCalled(name), showIn(window, number))
  const began = performance.now()
  const half = Math.ceil(inputs / share.of / 2)
  const until = (part: number) => () => performance.now() - began > part * minutes * 60_000
  const corpus = readCorpus(name)
  // The first half fills what is remembered on purpose.
  const first = await hunt(target, {
    coverage,
    corpus,
    inputs: half,
    seed: seed + share.index,
    isOver: until(0.5),
  })
  const before = heap()
  const second = await hunt(target, {
    coverage,
    corpus: [...corpus, ...first.found],
    inputs: half,
    seed: seed + share.of + share.index,
    isOver: until(1),
  })
  const found = [...first.found, ...second.found]
  results.push({
    name,
    tried: first.tried + second.tried,
    milliseconds: performance.now() - began,
    growth: heap() - before,
    findings: [...first.findings, ...second.findings].map(({ input, problem }) => ({ input: text(input), problem })),
    found: found.map(text),
    corpus: (await essential(target, [...corpus, ...found], coverage)).map(text),
  })
}
coverage.stop()
close(window)
parentPort?.postMessage(results)
