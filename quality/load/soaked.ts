import { ownSamples, type ProcessSample } from './processes.ts'
import { growthPerHour } from './slope.ts'

/** How one process fared. Bytes, and bytes an hour, of the second half of the time: the first fills caches. */
export interface Course {
  readonly name: string
  readonly rss: number
  readonly rssGrowth: number
  readonly heapGrowth: number
  /** In the middle and at the end. */
  readonly descriptors: readonly [number, number]
  /** The median of the worst hundredth of each ten seconds, in milliseconds. */
  readonly delayP99: number
}

interface Sample {
  readonly at: number
  readonly processes: readonly ProcessSample[]
}

/** What a process may grow in an hour, in bytes, and how many more descriptors it may end with. */
const LIMITS = { heap: 20 * 2 ** 20, descriptors: 20, delay: 500 }

/** @param folder where the processes write down what they know of themselves */
export function courseOf(samples: readonly Sample[], folder: string): readonly Course[] {
  const half = samples.slice(Math.floor(samples.length / 2))
  const [first] = half
  return (first?.processes ?? []).flatMap(({ pid, name }) => {
    const mine = half.flatMap(({ at, processes }) =>
      processes.filter((one) => one.pid === pid).map((one) => ({ at, ...one })),
    )
    const last = mine.at(-1)
    if (mine.length < 2 || !last) return []
    const own = ownSamples(folder, pid).filter(({ at }) => at >= (first?.at ?? 0))
    return {
      name,
      rss: last.rss,
      rssGrowth: growthPerHour(mine.map(({ at, rss }) => ({ at, value: rss }))),
      heapGrowth: growthPerHour(own.map(({ at, heap }) => ({ at, value: heap }))),
      descriptors: [mine[0]?.descriptors ?? 0, last.descriptors] as const,
      delayP99: median(own.map(({ delayP99 }) => delayP99)),
    }
  })
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

/** What is wrong with how a process fared. */
export function judge({ name, heapGrowth, descriptors: [before, after], delayP99 }: Course): readonly string[] {
  const problems = [
    { is: heapGrowth > LIMITS.heap, text: `its live heap grows ${(heapGrowth / 2 ** 20).toFixed(1)} MB an hour` },
    { is: after - before > LIMITS.descriptors, text: `it has ${after} descriptors, ${before} before` },
    { is: delayP99 > LIMITS.delay, text: `its event loop stalls for ${delayP99.toFixed(0)} ms` },
  ]
  return problems.filter(({ is }) => is).map(({ text }) => `${name}: ${text}`)
}
