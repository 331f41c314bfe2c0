import { htmlContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { OWN_HOST } from './examples.ts'
import { SESSION } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/',
  access: 'public',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Login',
    summary: 'Show the home page',
    parameters: { endpoint: 'Explains why the endpoint of that name would let the caller in.' },
    answers: {
      200: {
        description: 'A page with the logged-in user and a logout button.',
        headers: ['policy'],
        content: htmlContent,
      },
      302: OWN_HOST,
    },
    grants: SESSION,
  }) as const satisfies About
