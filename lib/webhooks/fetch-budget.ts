import type { Clock } from '../runtime/clock.ts'

/** How much a source may fetch, because callers without a secret can make it do so. */
export interface FetchBudget {
  /** Takes a fetch; false if none is left. */
  spend(source: string): boolean
}

/** Fetches at once, and the most there can be. */
const BURST = 10

const PER_SECOND = 1

export function createFetchBudget(clock: Clock): FetchBudget {
  const left = new Map<string, { readonly count: number; readonly at: number }>()
  return {
    spend(source) {
      const now = clock.now().getTime() / 1000
      const { count, at } = left.get(source) ?? { count: BURST, at: now }
      const available = Math.min(BURST, count + Math.max(0, now - at) * PER_SECOND)
      const isLeft = available >= 1
      left.set(source, { count: isLeft ? available - 1 : available, at: now })
      return isLeft
    },
  }
}
