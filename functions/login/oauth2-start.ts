import { makeOAuth2 } from '../../lib/app/oauth2.ts'
import { onOwnHost } from '../../lib/http/cookies.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { redirect } from '../../lib/http/message.ts'
import { refuseForcedLogin } from '../../lib/http/middleware/csrf.ts'

const app = await makeOAuth2()

export const handler = endpoint('oauth2Start', app, refuseForcedLogin, ({ event, parameters }) =>
  onOwnHost(event, app, async () => {
    const { location, cookies } = await app.login.start({
      registrationId: parameters['registrationId'],
      returnTo: event.queryStringParameters?.['returnTo'],
      cookies: app.loginCookies(event),
    })
    return redirect(location, app.setCookies(cookies))
  }),
)
