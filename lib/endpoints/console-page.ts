import { htmlContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { OWN_HOST } from './examples.ts'
import { SESSION } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/console/{page}',
  access: 'public',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Login',
    summary: 'Show a page of the console',
    answers: {
      200: { description: 'A page that its script fills.', headers: ['policy'], content: htmlContent },
      302: OWN_HOST,
    },
    grants: SESSION,
  }) as const satisfies About
