import type { Claims, VerifiedToken } from './claims.ts'

export interface SeenToken {
  readonly token: string
  readonly claims: Claims
  readonly verified: VerifiedToken
}

/** A bounded cache of tokens whose signature and claims were verified. */
export interface SeenTokens {
  find(token: string): SeenToken | undefined
  add(seen: SeenToken): void
}

const ENTRIES = 1000

/**
 * The end of a signature tells tokens apart as well as the whole token does, whose hash would take longer than all of
 * the rest.
 */
const KEY_LENGTH = 16

export function createSeenTokens(): SeenTokens {
  const byEnd = new Map<string, SeenToken>()
  const keyOf = (token: string) => token.slice(-KEY_LENGTH)
  return {
    find(token) {
      const seen = byEnd.get(keyOf(token))
      return seen?.token === token ? seen : undefined
    },
    add(seen) {
      if (byEnd.size >= ENTRIES) byEnd.delete(byEnd.keys().next().value ?? '')
      byEnd.set(keyOf(seen.token), seen)
    },
  }
}
