import type { About } from './about.ts'
import { LOGIN_ELSEWHERE } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/oauth2/authorization/{registrationId}',
  access: 'public',
  profile: 'oauth2',
  changes: true,
} as const satisfies Route

export const about = () =>
  ({
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
  }) as const satisfies About
