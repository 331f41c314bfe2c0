import { Router } from '@aws-lambda-powertools/event-handler/http'

import { jwtVerify } from 'jose'
import { KEY } from '../../key.ts'
import { greeting, refusal } from '../shared/settings.mjs'

const app = new Router()
const answer = (status, body) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

app.get('/api/admin/secure', async ({ req }) => {
  const token = req.headers.get('authorization')?.replace(/^Bearer /, '') ?? ''
  let claims
  try {
    claims = (await jwtVerify(token, KEY, { algorithms: ['HS512'] })).payload
  } catch {
    return answer(401, refusal(401, 'Invalid token'))
  }
  return claims.role === 'ROLE_ADMIN' ? answer(200, greeting(claims)) : answer(403, refusal(403, 'Access denied'))
})

export const handler = (event, context) => app.resolve(event, context)
