import type { About } from './about.ts'
import { LOGIN_ELSEWHERE } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/oauth2/authorization/{registrationId}',
  access: 'public',
  profile: 'oauth2',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Login',
    summary: 'Log in with an identity provider',
    description:
      'For a browser that comes from here, from an address that somebody typed, or from a link that somebody followed: what a page of another site begins by itself is refused.',
    parameters: { returnTo: 'A path to come back to.' },
    refuses: ['CROSS_SITE_LOGIN'],
    answers: {
      302: { description: 'To the provider, or to our own host name.', headers: ['location', 'cookiesIfAny'] },
    },
    grants: [LOGIN_ELSEWHERE],
  }) as const satisfies About
