/** The rate limit of a stage: a bucket of tokens, each request takes one. */
export interface Rate {
  /** Takes a token if there is one. */
  take(): boolean
}

interface Speed {
  /** Tokens that are added in a second. */
  readonly perSecond: number
  /** How many there are at most. */
  readonly burst: number
}

/** @param now in milliseconds */
export function rateOf({ perSecond, burst }: Speed, now: () => number): Rate {
  let tokens = burst
  let last = now()
  return {
    take() {
      const time = now()
      tokens = Math.min(burst, tokens + ((time - last) * perSecond) / 1000)
      last = time
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
  }
}
