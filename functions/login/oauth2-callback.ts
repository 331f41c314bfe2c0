import { makeOAuth2 } from '../../lib/app/oauth2.ts'
import type { About } from '../../lib/contract/about.ts'
import { LOGIN_ELSEWHERE, RECORD, START_SESSION } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { cookiesOf, SESSION_COOKIE } from '../../lib/http/cookies.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { addressOf, redirect } from '../../lib/http/message.ts'

export const route = {
  method: 'GET',
  path: '/login/oauth2/code/{registrationId}',
  access: 'public',
  profile: 'oauth2',
  changes: true,
} as const satisfies Route

export const about = (): About => ({
  tag: 'Login',
  summary: 'Complete a login with an identity provider',
  parameters: {
    state: 'The value from the start of the login.',
    code: "The provider's code.",
    error: 'Why the provider refuses.',
    iss: 'The issuer (RFC 9207).',
  },
  answers: {
    302: {
      description:
        'Redirects to the page where the login began, with a session. After a failure it redirects to `/login?error=provider&id=<provider>&fault=<person, provider or settings>`, or to `/login?canceled=<provider>` if the user canceled.',
      headers: ['location', 'cookiesIfAny'],
    },
  },
  grants: [LOGIN_ELSEWHERE, START_SESSION, RECORD],
})

export async function start() {
  const app = await makeOAuth2()
  return endpoint(route, app, async ({ event, parameters }) => {
    const { location, ...arrival } = await app.login.finish({
      registrationId: parameters['registrationId'],
      query: event.rawQueryString,
      cookies: app.loginCookies(event),
      sessionId: cookiesOf(event).get(SESSION_COOKIE),
      address: addressOf(event, app),
    })
    return redirect(location, [...app.setCookies(arrival.cookies), ...(await app.startedCookies(arrival.started))])
  })
}
