import middy from '@middy/core'
import { greeting, refusal } from './settings.mjs'

export const answer = (statusCode, body) => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/**
 * Middy as its README shows it: a middleware verifies, another one looks at the role, the handler answers.
 * @param claimsIn gives the claims of a token, or throws
 */
export const middyFunction = (claimsIn) =>
  middy()
    .before(async (request) => {
      const token = request.event.headers['authorization']?.replace(/^Bearer /, '') ?? ''
      try {
        request.context.claims = await claimsIn(token)
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
