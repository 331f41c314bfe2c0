import { htmlContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
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
      200: { description: 'A page: Swagger UI.', headers: ['policy'], content: htmlContent },
    },
    grants: [],
  }) as const satisfies About
