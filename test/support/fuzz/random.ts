/** Numbers that look random and are the same for the same seed (mulberry32, in the public domain). */
export interface Random {
  /** A whole number from 0 up to, not including, the limit. */
  below(limit: number): number
  /** @throws RangeError for an empty list */
  pick<T>(list: readonly T[]): T
}

export function randomOf(seed: number): Random {
  let state = seed | 0
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (((mixed ^ (mixed >>> 14)) >>> 0) % limit) | 0
  }
  return {
    below,
    pick<T>(list: readonly T[]): T {
      const [found] = list.slice(below(list.length))
      if (found === undefined) throw new RangeError('nothing to pick from')
      return found
    },
  }
}
