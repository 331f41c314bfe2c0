import { jwtVerify } from 'jose'
import { KEY } from '../../key.ts'
import { middyFunction } from '../shared/middy.mjs'
import { seenTokens } from '../shared/seen.mjs'

const imported = crypto.subtle.importKey('raw', KEY, { name: 'HMAC', hash: 'SHA-512' }, false, ['verify'])

/** The same with a cache of verified tokens. */
export const handler = middyFunction(
  seenTokens(async (token) => (await jwtVerify(token, await imported, { algorithms: ['HS512'] })).payload),
)
