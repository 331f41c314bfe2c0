import type { About } from './about.ts'
import { LOGIN_ELSEWHERE, RECORD, START_SESSION } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/login/oauth2/code/{registrationId}',
  access: 'public',
  profile: 'oauth2',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Login',
    summary: 'Come back from an identity provider',
    parameters: {
      state: 'What the login began with.',
      code: "The provider's code.",
      error: 'Why the provider refuses.',
      iss: 'Who the provider is (RFC 9207).',
    },
    answers: {
      302: {
        description:
          'To where the login began, with a session. Without one to `/login?error`, or to `/login?canceled=<provider>` if the user canceled there.',
        headers: ['location', 'cookiesIfAny'],
      },
    },
    grants: [LOGIN_ELSEWHERE, START_SESSION, RECORD],
  }) as const satisfies About
