import { jwtVerify } from 'jose'
import { KEY } from '../../key.ts'
import { serveWithTokens } from '../shared/connect.mjs'

await serveWithTokens(async (token) => (await jwtVerify(token, KEY, { algorithms: ['HS512'] })).payload)
