import { Hono } from 'hono'
import { handle } from 'hono/aws-lambda'
import { secureHeaders } from 'hono/secure-headers'
import { greeting, refusal } from './settings.mjs'

/** Hono with a middleware that sets `jwtPayload`, or answers 401. */
export function honoFunction(verifies) {
  const app = new Hono()
  app.use(secureHeaders())
  app.onError((_, context) => context.json(refusal(401, 'Invalid token'), 401))
  app.use('/api/admin/*', verifies)
  app.get('/api/admin/secure', (context) => {
    const claims = context.get('jwtPayload')
    return claims.role === 'ROLE_ADMIN'
      ? context.json(greeting(claims))
      : context.json(refusal(403, 'Access denied'), 403)
  })
  return handle(app)
}
