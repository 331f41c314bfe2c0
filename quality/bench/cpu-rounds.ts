import process from 'node:process'
import { effort } from './effort.ts'

/** The same work each time, done so many times in a round. */
export interface Work {
  readonly calls: number
  run(): unknown
}

const WARM_UP_ROUNDS = effort(8, 1)

/**
 * Measures in this process what a call of each subject takes, once for each round after some that compile the code. The
 * rounds go there and back again, so that drift hits all alike.
 * @returns microseconds of CPU, of all threads, by the subject
 */
export async function cpuRounds(
  works: ReadonlyMap<string, Work>,
  rounds: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const subjects = [...works]
  const costs = new Map<string, number[]>(subjects.map(([name]) => [name, []]))
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) for (const [, work] of subjects) await cpuOf(work)
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? subjects : subjects.toReversed()
    for (const [name, work] of order) costs.get(name)?.push(await cpuOf(work))
  }
  return costs
}

async function cpuOf({ calls, run }: Work): Promise<number> {
  const before = process.cpuUsage()
  for (let count = 0; count < calls; count += 1) {
    const outcome = run()
    if (outcome instanceof Promise) await outcome
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}
