import { makeOAuth2 } from '../../lib/app/oauth2.ts'
import type { About } from '../../lib/contract/about.ts'
import { LOGIN_ELSEWHERE } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { onOwnHost } from '../../lib/http/cookies.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { redirect } from '../../lib/http/message.ts'
import { refuseForcedLogin } from '../../lib/http/middleware/csrf.ts'

export const route = {
  method: 'GET',
  path: '/oauth2/authorization/{registrationId}',
  access: 'public',
  profile: 'oauth2',
  changes: true,
} as const satisfies Route

export const about = (): About => ({
  tag: 'Login',
  summary: 'Log in with an identity provider',
  description:
    'For a browser that comes from this service, from a typed address, or from a followed link. A login that a page of another site starts on its own is refused.',
  parameters: { returnTo: 'A path to come back to.' },
  refuses: ['CROSS_SITE_LOGIN'],
  answers: {
    302: {
      description: 'Redirects to the provider, or to the host name of `BASE_URL`.',
      headers: ['location', 'cookiesIfAny'],
    },
  },
  grants: [LOGIN_ELSEWHERE],
})

export async function start() {
  const app = await makeOAuth2()
  return endpoint(route, app, refuseForcedLogin, ({ event, parameters }) =>
    onOwnHost(event, app, async () => {
      const { location, cookies } = await app.login.start({
        registrationId: parameters['registrationId'],
        returnTo: event.queryStringParameters?.['returnTo'],
        cookies: app.loginCookies(event),
      })
      return redirect(location, app.setCookies(cookies))
    }),
  )
}
