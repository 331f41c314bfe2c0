import { Hono } from 'hono'
import { handle } from 'hono/aws-lambda'
import { verify } from 'hono/jwt'
import { secureHeaders } from 'hono/secure-headers'
import { KEY } from '../key.ts'
import { greeting, refusal } from './settings.mjs'
import { seenTokens } from './shared/seen.mjs'

const secret = KEY.toString('latin1')
const claimsIn = seenTokens((token) => verify(token, secret, 'HS512'))
const app = new Hono()
app.use(secureHeaders())
app.use('/api/admin/*', async (context, next) => {
  try {
    context.set('jwtPayload', await claimsIn(context.req.header('authorization')?.replace(/^Bearer /, '') ?? ''))
  } catch {
    return context.json(refusal(401, 'Invalid token'), 401)
  }
  return next()
})
app.get('/api/admin/secure', (context) => {
  const claims = context.get('jwtPayload')
  return claims.role === 'ROLE_ADMIN'
    ? context.json(greeting(claims))
    : context.json(refusal(403, 'Access denied'), 403)
})

export const handler = handle(app)
