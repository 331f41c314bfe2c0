import { loginForm } from '../contract/requests/login.ts'
import type { About } from './about.ts'
import { PASSWORD, SESSION, START_SESSION } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'POST',
  path: '/login',
  access: 'public',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Login',
    summary: 'Begin a session',
    description:
      'A browser that is refused is sent back to the login page, which keeps the user name for a minute. The field `returnTo` may name a path of ours to go to in place of `/`.',
    reads: { fields: loginForm.schema },
    refuses: ['BAD_CREDENTIALS', 'TOO_MANY_REQUESTS'],
    answers: {
      302: {
        description: 'To `returnTo` or `/`, with the cookies of a session; without them to `/login`, which says why.',
        headers: ['location', 'cookiesIfAny'],
      },
    },
    grants: [...SESSION, ...PASSWORD, START_SESSION],
  }) as const satisfies About
