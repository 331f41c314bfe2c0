import type { Ids } from '../../../lib/runtime/ids.ts'

/** Counts from 1: `1n`, `2n` … and `unique-1`, `unique-2` … */
export function countingIds(): Ids {
  let ordered = 0n
  let unique = 0
  return {
    ordered() {
      ordered += 1n
      return ordered
    },
    unique() {
      unique += 1
      return `unique-${unique}`
    },
  }
}
