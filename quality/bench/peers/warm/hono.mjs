import { Hono } from 'hono'
import { handle } from 'hono/aws-lambda'
import { jwt } from 'hono/jwt'
import { secureHeaders } from 'hono/secure-headers'
import { KEY } from '../../key.ts'
import { greeting, refusal } from '../shared/settings.mjs'

const app = new Hono()
app.use(secureHeaders())
app.onError((_, context) => context.json(refusal(401, 'Invalid token'), 401))
app.use('/api/admin/*', jwt({ secret: KEY.toString('latin1'), alg: 'HS512' }))
app.get('/api/admin/secure', (context) => {
  const claims = context.get('jwtPayload')
  return claims.role === 'ROLE_ADMIN'
    ? context.json(greeting(claims))
    : context.json(refusal(403, 'Access denied'), 403)
})

export const handler = handle(app)
