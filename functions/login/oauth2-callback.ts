import { makeOAuth2 } from '../../lib/app/oauth2.ts'
import { cookiesOf, SESSION_COOKIE } from '../../lib/http/cookies.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { addressOf, redirect } from '../../lib/http/message.ts'

const app = await makeOAuth2()

export const handler = endpoint('oauth2Callback', app, async ({ event, parameters }) => {
  const { location, ...arrival } = await app.login.finish({
    registrationId: parameters['registrationId'],
    query: event.rawQueryString,
    cookies: app.loginCookies(event),
    sessionId: cookiesOf(event).get(SESSION_COOKIE),
    address: addressOf(event, app),
  })
  return redirect(location, [...app.setCookies(arrival.cookies), ...(await app.startedCookies(arrival.started))])
})
