import type { Lived, Living, Trial } from './kind.ts'
import { KINDS, type KindName } from './kinds.ts'

/** Numbers from a first one on, so many, every `step`-th. */
export interface Seeds {
  readonly first: number
  readonly count: number
  readonly step?: number
}

/** A world in which something went wrong. */
export interface Failure {
  readonly kind: KindName
  readonly seed: number
  readonly violations: readonly string[]
}

export interface Simulated {
  readonly worlds: number
  readonly failures: readonly Failure[]
  readonly totals: ReadonlyMap<string, number>
}

interface Simulating extends Living {
  readonly isEnough?: (failure: Failure) => boolean
}

/** Lives through the worlds of so many seeds, one after the other, or until a failure is enough. */
export async function simulate(kind: KindName, seeds: Seeds, options: Simulating = {}): Promise<Simulated> {
  const { isEnough = () => false, ...living } = options
  const { first, count, step = 1 } = seeds
  const totals = new Map<string, number>()
  const failures: Failure[] = []
  let worlds = 0
  for (let seed = first; seed < first + count; seed += step) {
    const { violations, counts } = await KINDS[kind].draw(seed).live(living)
    worlds += 1
    addTo(totals, Object.entries(counts))
    if (violations.length === 0) continue
    const failure = { kind, seed, violations }
    failures.push(failure)
    if (isEnough(failure)) break
  }
  return { worlds, failures, totals }
}

export function addTo(totals: Map<string, number>, counts: Iterable<readonly [string, number]>): void {
  for (const [what, count] of counts) totals.set(what, (totals.get(what) ?? 0) + count)
}

/** More messages than these for each run are too many. */
export const MESSAGES_PER_RUN = 3

/**
 * Messages for each run. Messages are all that were sent: hops of at most 900 seconds, those of the scan, and those that
 * copies made by the queue lead to. Runs are those of the worker, and at the intake those that stored an event.
 */
export function messagesPerRun(totals: ReadonlyMap<string, number>): number {
  const [messages = 0, runs = 0, accepted = 0] = ['messages', 'runs', 'accepted'].map((what) => totals.get(what))
  return messages === 0 ? 0 : messages / (runs + accepted)
}

/** A few worlds say nothing of all: a single one may take fifty messages for each run. */
const ENOUGH_WORLDS = 1000

/** Whether worlds of a kind show that runs take too many messages. */
export function isChatty({ worlds, totals }: Simulated): boolean {
  return worlds >= ENOUGH_WORLDS && messagesPerRun(totals) > MESSAGES_PER_RUN
}

/** Enough to take a world to pieces in a few seconds. */
const MAXIMUM_TRIES = 2000

/** The smallest course found in which one of the same things goes wrong; every step of it is needed. */
async function shrink({ kind, seed, violations }: Failure, living: Living = {}): Promise<Trial> {
  const isSame = (lived: Lived<Trial>) => lived.violations.some((violation) => violations.includes(violation))
  const whole = await KINDS[kind].draw(seed).live(living)
  let smallest = whole.course
  let tries = 0
  async function smaller(): Promise<Trial | undefined> {
    for (const candidate of smallest.smaller()) {
      if (++tries > MAXIMUM_TRIES) return undefined
      if (isSame(await candidate.live(living))) return candidate
    }
    return undefined
  }
  for (let next = await smaller(); next; next = await smaller()) smallest = next
  return smallest
}

/** What went wrong, and how to see it again. */
export async function describeFailure(failure: Failure, living: Living = {}): Promise<string> {
  const { course } = await shrink(failure, living)
  return [
    `${failure.kind} world ${failure.seed}:`,
    ...failure.violations.map((violation) => `  ${violation}`),
    `again: npm run quality -- simulate --replay '${JSON.stringify(course)}'`,
  ].join('\n')
}
