import { htmlContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { OWN_HOST } from './examples.ts'
import { SESSION } from './grants.ts'
import type { Route } from './route.ts'

export const route = {
  method: 'GET',
  path: '/docs',
  access: 'public',
} as const satisfies Route

export const about = () =>
  ({
    tag: 'Description',
    summary: 'Show this description as a page',
    answers: {
      200: {
        description: 'The reference of the API, complete without a script.',
        headers: ['policy', 'encoding', 'vary'],
        content: htmlContent,
      },
      302: OWN_HOST,
    },
    grants: SESSION,
  }) as const satisfies About
