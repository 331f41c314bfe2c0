import { jwtVerify } from 'jose'
import { KEY } from '../../key.ts'
import { h3Function } from '../shared/h3.mjs'
import { seenTokens } from '../shared/seen.mjs'

export const handler = h3Function(
  seenTokens(async (token) => (await jwtVerify(token, KEY, { algorithms: ['HS512'] })).payload),
)
