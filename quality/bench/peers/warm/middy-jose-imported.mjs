import { jwtVerify } from 'jose'
import { KEY } from '../../key.ts'
import { middyFunction } from '../shared/middy.mjs'

const imported = crypto.subtle.importKey('raw', KEY, { name: 'HMAC', hash: 'SHA-512' }, false, ['verify'])

/** The same with a key that is imported once. */
export const handler = middyFunction(
  async (token) => (await jwtVerify(token, await imported, { algorithms: ['HS512'] })).payload,
)
