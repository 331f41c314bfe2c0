import { jwtVerify } from 'jose'
import { KEY } from '../../key.ts'
import { middyFunction } from '../shared/middy.mjs'

/** jose as its README shows it, which imports the key at each call. */
export const handler = middyFunction(async (token) => (await jwtVerify(token, KEY, { algorithms: ['HS512'] })).payload)
