import type { Units } from './demand.ts'
import { type Limits, QUOTAS } from './limits.ts'

/** So many units of a stock; `key` is a key of that table or index, which has a bound of its own. */
interface Draw {
  readonly stock: string
  readonly units: number
  readonly key?: string | undefined
}

/** What a stage has to give in one second. */
export interface Stock {
  /** Fills it up again; seconds follow one another without a gap. */
  begin(second: number): void
  /**
   * Takes all draws, or tells what refuses the first that cannot be had. Those before it are spent all the same: so does a
   * transaction that one of its rows fails.
   */
  take(draws: readonly Draw[]): string | undefined
  /** The most that was taken of a stock in one second, all but the present one. */
  peakOf(stock: string): number
}

/** The stock of functions, in milliseconds, and that of their calls; all others are tables and indexes, in write units. */
export const FUNCTIONS = 'functions'
export const CALLS = 'calls'

/** An index is spread over so many keys. */
const LANES = 4

/** A table or index takes twice the most that it took before the last so many seconds. */
const GROWTH = 1800

export function stockOf({ concurrency, warmUnits }: Limits): Stock {
  const history: Map<string, number>[] = []
  const grown = new Map<string, number>()
  const peaks = new Map<string, number>()
  let taken = new Map<string, number>()

  function boundOf(stock: string): number {
    if (stock === FUNCTIONS) return concurrency * 1000
    if (stock === CALLS) return concurrency * QUOTAS.callsPerPlace.figure
    return Math.min(QUOTAS.tableUnits.figure, Math.max(warmUnits, 2 * (grown.get(stock) ?? 0)))
  }

  function spend(name: string, units: number, bound: number): boolean {
    const sum = (taken.get(name) ?? 0) + units
    if (sum <= bound) taken.set(name, sum)
    return sum <= bound
  }

  return {
    peakOf: (stock) => peaks.get(stock) ?? 0,
    begin(second) {
      raise(peaks, taken)
      raise(grown, history[second % GROWTH] ?? new Map())
      taken = new Map()
      history[second % GROWTH] = taken
    },
    take(draws) {
      for (const { stock, units, key } of draws) {
        if (!spend(stock, units, boundOf(stock))) return stock
        if (key !== undefined && !spend(key, units, QUOTAS.keyUnits.figure)) return `a key of ${stock}`
      }
      return undefined
    },
  }
}

/**
 * The draws of an event, by the key of the indexes that its hash chooses: `draws[lane]`.
 * @param owner whose key of the events table it is on, or whose keys of an index
 */
export function lanesOf(units: Units, owner: string): readonly (readonly Draw[])[] {
  return Array.from({ length: LANES }, (_, lane) =>
    Object.entries(units).map(([stock, count]) => ({ stock, units: count, key: keyOf(stock, owner, lane) })),
  )
}

/** The keys of most tables are as many as their rows. */
function keyOf(stock: string, owner: string, lane: number): string | undefined {
  if (stock === 'events') return `events, ${owner}`
  if (stock === 'deliveries.due') return `${stock}, ${owner}, ${lane}`
  return stock.includes('.') ? `${stock}, ${lane}` : undefined
}

function raise(most: Map<string, number>, units: ReadonlyMap<string, number>): void {
  for (const [name, count] of units) if (count > (most.get(name) ?? 0)) most.set(name, count)
}
