import { verify } from 'hono/jwt'
import { KEY } from '../../key.ts'
import { honoFunction } from '../shared/hono.mjs'
import { seenTokens } from '../shared/seen.mjs'

const secret = KEY.toString('latin1')
const claimsIn = seenTokens((token) => verify(token, secret, 'HS512'))

export const handler = honoFunction(async (context, next) => {
  context.set('jwtPayload', await claimsIn(context.req.header('authorization')?.replace(/^Bearer /, '') ?? ''))
  return next()
})
