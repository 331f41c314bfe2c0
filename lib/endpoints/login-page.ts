import { htmlContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { OWN_HOST } from './examples.ts'
import { SESSION } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/login',
  access: 'public',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Login',
    summary: 'Show the login page',
    parameters: {
      error: 'Shows that a login failed.',
      throttled: 'Shows that there were too many attempts.',
      unavailable: 'Shows that no login can be checked.',
      logout: 'Shows that the caller is logged out.',
      returnTo: 'A path of ours that the login leads to.',
    },
    answers: {
      200: {
        description: 'A page: the form, with a CSRF token, and the identity providers.',
        headers: ['policy', 'cookies'],
        content: htmlContent,
      },
      302: OWN_HOST,
    },
    grants: SESSION,
  }) as const satisfies About
