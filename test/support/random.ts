/** Numbers that look random and follow from their seed alone. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number
  chance(probability: number): boolean
  /** A whole number, both ends included. */
  between(least: number, most: number): number
  /** A whole number from 0 up to, not including, the limit. */
  below(limit: number): number
  /** @throws RangeError for an empty list */
  pick<T>(choices: readonly T[]): T
}

/** Numbers of their own that follow from another's next one. */
export function forked(random: Random): Random {
  return seeded(random.below(2 ** 32))
}

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state, a full period. */
export function seeded(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    chance: (probability) => next() < probability,
    between: (least, most) => least + below(most - least + 1),
    below,
    pick(choices) {
      const [found] = choices.slice(below(choices.length))
      if (found === undefined) throw new RangeError('nothing to pick from')
      return found
    },
  }
}
