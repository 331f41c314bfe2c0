import type { About } from './about.ts'
import { END_SESSIONS, KEYS, RECORD, SESSION } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'POST',
  path: '/logout',
  access: 'public',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Login',
    summary: 'End the session, or all sessions and tokens',
    description:
      'A bearer token wins over the session, where the profile takes one. It ends only with `everywhere=true`; without that it is 400.',
    parameters: { everywhere: '`true` ends all sessions and tokens of the user.' },
    refuses: ['TOKEN_INVALID', 'TOKEN_EXPIRED', 'VALIDATION_FAILED'],
    answers: {
      302: { description: 'To `/login?logout`, without the cookies.', headers: ['location', 'cookies'] },
      204: { description: 'All sessions and tokens of the account of the token are over.' },
    },
    grants: [KEYS, ...SESSION, RECORD, END_SESSIONS],
  }) as const satisfies About
