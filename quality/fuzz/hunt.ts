import { Buffer } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import { changedBytes, piecesOf } from '../../test/inputs/changes.ts'
import type { Target } from '../../test/inputs/target.ts'
import { type Random, seeded } from '../../test/support/random.ts'
import { type Coverage, placesIn, Reached } from './coverage.ts'

/** Something that must not happen, and the input at which it does. */
export interface Finding {
  readonly target: string
  readonly input: Buffer
  readonly problem: string
}

export interface Hunted {
  readonly tried: number
  readonly findings: readonly Finding[]
  /** What reached code that nothing before had reached, the seeds left out. */
  readonly found: readonly Buffer[]
}

export interface Hunting {
  readonly inputs: number
  readonly seed: number
  readonly coverage: Coverage
  /** Inputs that an earlier hunt found. */
  readonly corpus?: readonly Buffer[]
  /** Whether to stop before all inputs are tried. */
  readonly isOver?: () => boolean
}

/** How many inputs are tried before it is asked what they reached. */
const BATCH = 100

/** How many of them are tried again together: asking takes longer than most inputs. */
const FEW = 10

/** Different ones, of one target. */
const MAXIMUM_FINDINGS = 5

/** An input that takes longer than this stops everybody else's, in milliseconds. */
const TOO_LONG = 50

const SLOW = `takes more than ${TOO_LONG} ms`

/** Tries inputs that are made from those that reached something new. */
export async function hunt(target: Target, options: Hunting): Promise<Hunted> {
  const { inputs, seed, coverage, corpus = [], isOver = () => false } = options
  const random = seeded(seed)
  const pieces = piecesOf(target.dictionary ?? [])
  const pool = [...target.seeds, ...corpus]
  const known = pool.length
  const findings = new Map<string, Finding>()
  let tried = 0

  async function attempt(input: Buffer): Promise<void> {
    const problem = await problemOf(target, input)
    if (problem === undefined || findings.size >= MAXIMUM_FINDINGS || findings.has(problem)) return
    findings.set(problem, { target: target.name, input: await smallest(target, input, problem), problem })
  }

  const reached = new Reached()
  for (const input of pool) await attempt(input)
  reached.learn(coverage.ran())
  while (tried < inputs && !isOver()) {
    const size = Math.min(BATCH, inputs - tried)
    const batch = Array.from({ length: size }, () => changed(target, shorterOf(pool, random), random, pieces))
    for (const input of batch) await attempt(input)
    tried += size
    // What the inputs left to be done.
    await setImmediate()
    const places = reached.learn(coverage.ran())
    if (places.length > 0) pool.push(...(await firstToReach(places, target, batch, coverage)))
  }
  return { tried, findings: [...findings.values()], found: pool.slice(known) }
}

/** Those of the inputs that reach these places, each the first to reach one. */
async function firstToReach(
  places: readonly string[],
  target: Target,
  inputs: readonly Buffer[],
  coverage: Coverage,
): Promise<readonly Buffer[]> {
  const left = new Set(places)
  const found: Buffer[] = []
  for (let from = 0; from < inputs.length && left.size > 0; from += FEW) {
    const few = inputs.slice(from, from + FEW)
    for (const input of few) await problemOf(target, input)
    if (placesIn(coverage.ran(), left).length > 0) found.push(...(await first(few)))
  }
  return found

  async function first(few: readonly Buffer[]): Promise<readonly Buffer[]> {
    const reaching: Buffer[] = []
    for (const input of few) {
      await problemOf(target, input)
      const here = placesIn(coverage.ran(), left)
      for (const place of here) left.delete(place)
      if (here.length > 0) reaching.push(input)
    }
    return reaching
  }
}

/** Of the inputs the few that together reach what all of them do and the seeds do not, short ones first. */
export async function essential(
  target: Target,
  inputs: readonly Buffer[],
  coverage: Coverage,
): Promise<readonly Buffer[]> {
  const reached = new Reached()
  coverage.ran()
  for (const seed of target.seeds) await problemOf(target, seed)
  reached.learn(coverage.ran())
  const kept: Buffer[] = []
  for (const input of inputs.toSorted((one, other) => one.length - other.length)) {
    await problemOf(target, input)
    if (reached.learn(coverage.ran()).length > 0) kept.push(input)
  }
  return kept
}

/** Long inputs take long and say little more. */
function shorterOf(pool: readonly Buffer[], random: Random): Buffer {
  const [one, other] = [random.pick(pool), random.pick(pool)]
  return one.length < other.length ? one : other
}

function changed({ change }: Target, input: Buffer, random: Random, pieces: readonly Buffer[]): Buffer {
  let next = input
  for (let left = 1 + random.below(4); left > 0; left--) {
    next = change && random.chance(0.7) ? change(next, random) : changedBytes(next, random, pieces)
  }
  return next
}

/** What goes wrong with an input; undefined when it is taken or refused as it should be. */
export async function problemOf(target: Target, input: Buffer): Promise<string | undefined> {
  const began = performance.now()
  try {
    await target.run(input)
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
  if (performance.now() - began < TOO_LONG || (await quickest(target, input)) < TOO_LONG) return undefined
  return SLOW
}

/** A busy machine makes anything slow once. */
async function quickest(target: Target, input: Buffer): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round++) {
    const began = performance.now()
    await target.run(input)
    best = Math.min(best, performance.now() - began)
  }
  return best
}

/** The input without what the problem does not need. */
async function smallest(target: Target, whole: Buffer, problem: string): Promise<Buffer> {
  let input = whole
  if (problem === SLOW) return whole
  for (let length = input.length >> 1; length > 0; length >>= 1) {
    for (let at = 0; at < input.length; ) {
      const less = Buffer.concat([input.subarray(0, at), input.subarray(at + length)])
      if ((await problemOf(target, less)) === problem) input = less
      else at += length
    }
  }
  return input
}
