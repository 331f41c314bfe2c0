import type { About } from './about.ts'
import { LOGIN_ELSEWHERE, RECORD, START_SESSION } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/login/oauth2/code/{registrationId}',
  access: 'public',
  profile: 'oauth2',
  changes: true,
} as const satisfies Route

export const about = () =>
  ({
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
          'Redirects to the page where the login began, with a session. After a failure it redirects to `/login?error`, or to `/login?canceled=<provider>` if the user canceled.',
        headers: ['location', 'cookiesIfAny'],
      },
    },
    grants: [LOGIN_ELSEWHERE, START_SESSION, RECORD],
  }) as const satisfies About
