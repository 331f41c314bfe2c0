import { jwtVerify } from 'jose'
import { KEY } from '../../key.ts'
import { serveWithTokens } from '../shared/connect.mjs'
import { seenTokens } from '../shared/seen.mjs'

await serveWithTokens(seenTokens(async (token) => (await jwtVerify(token, KEY, { algorithms: ['HS512'] })).payload))
