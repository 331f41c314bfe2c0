import { jwtVerify } from 'jose'
import { KEY } from '../../key.ts'

const imported = crypto.subtle.importKey('raw', KEY, { name: 'HMAC', hash: 'SHA-512' }, false, ['verify'])

/** jose with a key that is imported once. */
export const claimsIn = async (token) => (await jwtVerify(token, await imported, { algorithms: ['HS512'] })).payload
