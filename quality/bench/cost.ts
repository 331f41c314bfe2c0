import process from 'node:process'

/** Microseconds of all threads for one call. */
export type Cost = number

/** Calls between two looks at the time, at most: one costs as much as the fastest of calls. */
const LARGEST_BATCH = 64

/**
 * What a call takes, of as many as fill the time: all that are compared are measured equally long, so that neither
 * waking up nor compiling weighs more on the fast than on the slow.
 * @param milliseconds of CPU
 */
export async function costOf(milliseconds: number, call: () => unknown): Promise<Cost> {
  const before = process.cpuUsage()
  let calls = 0
  let spent = 0
  for (let batch = 1; spent < milliseconds * 1000; batch = Math.min(2 * batch, LARGEST_BATCH)) {
    for (let count = 0; count < batch; count++) {
      const outcome = call()
      if (outcome instanceof Promise) await outcome
    }
    calls += batch
    const { user, system } = process.cpuUsage(before)
    spent = user + system
  }
  return spent / calls
}
