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
      'A refused browser goes back to the login page, which keeps the user name for a minute. The field `returnTo` may name another path of this service than `/`.',
    reads: { fields: loginForm.schema },
    bodyExample: { username: 'ada', password: 'correct horse battery staple' },
    refuses: ['BAD_CREDENTIALS', 'TOO_MANY_REQUESTS'],
    answers: {
      302: {
        description:
          'Redirects to `returnTo` or `/`, with the cookies of a session. After a failure it redirects to `/login`, which shows the reason.',
        headers: ['location', 'cookiesIfAny'],
      },
    },
    grants: [...SESSION, ...PASSWORD, START_SESSION],
  }) as const satisfies About
