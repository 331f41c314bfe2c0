import type { WeatherName } from './faults.ts'
import type { Mutation } from './mutations.ts'
import { World } from './world.ts'

/** A world in which something went wrong. */
export interface Failure {
  readonly seed: number
  readonly weather: WeatherName
  readonly violations: readonly string[]
}

/** Lives through the worlds of so many seeds, one after the other, or until that is enough. */
export async function simulate(
  weather: WeatherName,
  worlds: number,
  mutation: Mutation = {},
  isEnough: (failure: Failure) => boolean = () => false,
) {
  const totals = new Map<string, number>()
  const failures: Failure[] = []
  for (let seed = 1; seed <= worlds; seed++) {
    const { violations, counts } = await new World({ seed, weather, mutation }).run()
    for (const [what, count] of Object.entries(counts)) totals.set(what, (totals.get(what) ?? 0) + count)
    const failure = { seed, weather, violations }
    if (violations.length > 0) failures.push(failure)
    if (isEnough(failure)) break
  }
  return { failures, totals }
}

/**
 * Messages for each run. Messages are all that were sent: hops of at most 900 seconds, those of the scan, and those that
 * copies made by the queue lead to. Runs are those of the worker, and at the intake those that stored an event.
 */
export function messagesPerRun(totals: ReadonlyMap<string, number>): number {
  const [messages = 0, runs = 0, accepted = 0] = ['messages', 'runs', 'accepted'].map((what) => totals.get(what))
  return messages / (runs + accepted)
}

/** How to see a failing world again. */
export function describeFailure({ seed, weather, violations }: Failure): string {
  const command = `SIMULATION_SEED=${seed} SIMULATION_WEATHER=${weather} npx vitest run --project simulation -t 'one world'`
  return [`world ${seed}, ${weather}:`, ...violations.map((violation) => `  ${violation}`), `again: ${command}`].join(
    '\n',
  )
}
