import { LRUCache } from 'lru-cache'

/** The claims of tokens that were verified before, until they expire. @param verify gives the claims of a token, or throws */
export const seenTokens = (verify) => {
  const cache = new LRUCache({ max: 1000 })
  return async (token) => {
    const known = cache.get(token)
    if (known) return known
    const claims = await verify(token)
    cache.set(token, claims, { ttl: claims.exp * 1000 - Date.now() })
    return claims
  }
}
