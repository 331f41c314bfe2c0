import { H3, HTTPError } from 'h3'
import { toLambdaHandler } from 'srvx/aws-lambda'
import { greeting, refusal } from './settings.mjs'

const refused = (status, message) => new HTTPError({ status, body: refusal(status, message) })

/** h3 behind the adapter of srvx, its own server layer. @param claimsIn gives the claims of a token, or throws */
export function h3Function(claimsIn) {
  const app = new H3()
  app.use('/api/admin/**', async (event) => {
    try {
      event.context.claims = await claimsIn(event.req.headers.get('authorization')?.replace(/^Bearer /, '') ?? '')
    } catch {
      throw refused(401, 'Invalid token')
    }
    if (event.context.claims.role !== 'ROLE_ADMIN') throw refused(403, 'Access denied')
  })
  app.get('/api/admin/secure', ({ context }) => greeting(context.claims))
  return toLambdaHandler({ fetch: app.fetch })
}
