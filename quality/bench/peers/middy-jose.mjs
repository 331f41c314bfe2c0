import middy from '@middy/core'
import { jwtVerify } from 'jose'
import { KEY } from '../key.ts'
import { greeting, refusal } from './settings.mjs'

const answer = (statusCode, body) => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** Middy and jose as their READMEs show them: a middleware verifies, the handler answers. */
export const handler = middy()
  .before(async (request) => {
    const token = request.event.headers['authorization']?.replace(/^Bearer /, '') ?? ''
    try {
      const { payload } = await jwtVerify(token, KEY, { algorithms: ['HS512'] })
      request.context.claims = payload
    } catch {
      return answer(401, refusal(401, 'Invalid token'))
    }
    return undefined
  })
  .before(async (request) =>
    request.context.claims.role === 'ROLE_ADMIN' ? undefined : answer(403, refusal(403, 'Access denied')),
  )
  .after(async (request) => {
    const response = request.response
    response.headers['x-content-type-options'] = 'nosniff'
    response.headers['cache-control'] = 'no-store'
  })
  .handler(async (_, { claims }) => answer(200, greeting(claims)))
