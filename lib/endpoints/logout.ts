import type { About } from './about.ts'
import { SESSION } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'POST',
  path: '/logout',
  access: 'public',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Login',
    summary: 'End the session',
    parameters: { everywhere: '`true` ends all sessions and tokens of the user.' },
    answers: {
      302: { description: 'To `/login?logout`, without the cookies.', headers: ['location', 'cookies'] },
    },
    grants: [
      ...SESSION,
      { SessionsTable: ['DeleteItem'], 'SessionsTable/index/byAccount': ['Query'], UsersTable: ['UpdateItem'] },
    ],
  }) as const satisfies About
