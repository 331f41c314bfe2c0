import { LRUCache } from 'lru-cache'
import { claimsIn } from '../shared/jose.mjs'
import { middyFunction } from '../shared/middy.mjs'

const cache = new LRUCache({ max: 1000 })

/** With the claims of tokens that were verified before, until they expire. */
export const handler = middyFunction(async (token) => {
  const known = cache.get(token)
  if (known) return known
  const claims = await claimsIn(token)
  cache.set(token, claims, { ttl: claims.exp * 1000 - Date.now() })
  return claims
})
