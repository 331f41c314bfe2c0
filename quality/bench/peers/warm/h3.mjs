import { jwtVerify } from 'jose'
import { KEY } from '../../key.ts'
import { h3Function } from '../shared/h3.mjs'

/** h3 has no check of tokens of its own; jose as its README shows it. */
export const handler = h3Function(async (token) => (await jwtVerify(token, KEY, { algorithms: ['HS512'] })).payload)
